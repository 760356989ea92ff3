import type { Updateable } from 'kysely';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import type { DB } from '../../src/platform/db/types.gen.ts';
import { basic, type Credentials } from '../../test/support/app.ts';
import {
  anEmployee,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployees,
  makeIntegration,
  makeKey,
} from '../../test/support/factories.ts';
import { makeUser, type TestUser } from '../../test/support/portal.ts';

export interface TestCompany {
  companyId: CompanyId;
  integrationId: number;
  key: Credentials;
  authorization: string;
  user: TestUser;
}

/** For companies whose rosters shrink on purpose. */
export const withoutGuard = { guard_maximum_absent_percent: 100 } as const;

export async function makeTestCompany(
  db: Db,
  settings: Updateable<DB['companies']> = {},
  name?: string,
): Promise<TestCompany> {
  const companyId = await makeCompany(db, name);
  if (Object.keys(settings).length > 0)
    await db.updateTable('companies').set(settings).where('id', '=', companyId).execute();
  const integrationId = await makeIntegration(db, companyId);
  const key = await makeKey(db, companyId);
  return { companyId, integrationId, key, authorization: basic(key), user: await makeUser({ db }, companyId) };
}

export const chargedPeriod = '2026-11-01';

/** As many rows as fit into the parameters of one statement. */
const batchSize = 2_000;

export async function makeChargedEmployees(db: Db, companyId: CompanyId, count: number): Promise<void> {
  for (let left = count; left > 0; left -= batchSize) {
    const employees = Array.from({ length: Math.min(left, batchSize) }, () => anEmployee());
    const charges = (await makeEmployees(db, companyId, employees)).map((id) => aTicketCharge(id));
    await makeBillingItems(db, companyId, charges);
  }
}

export async function makeCharges(db: Db, companyId: CompanyId, count: number): Promise<void> {
  const { employee_id: _none, ...charge } = aTicketCharge(0);
  for (let left = count; left > 0; left -= batchSize) {
    await makeBillingItems(db, companyId, Array(Math.min(left, batchSize)).fill(charge));
  }
}
