import type { Updateable } from 'kysely';
import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { DB } from '../../src/db/types.gen.ts';
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

/** A company with an integration, a key with every permission and an admin. */
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

/** As many rows as fit into the parameters of one statement. */
const batchSize = 2_000;
/** The month of the charges below. */
export const chargedPeriod = '2026-11-01';

async function inBatches(count: number, work: (size: number) => Promise<unknown>): Promise<void> {
  for (let made = 0; made < count; made += batchSize) await work(Math.min(batchSize, count - made));
}

/** Adds this many employees to the company, each charged a ticket for `chargedPeriod`. */
export const makeChargedEmployees = (db: Db, companyId: CompanyId, count: number): Promise<void> =>
  inBatches(count, async (size) => {
    const ids = await makeEmployees(
      db,
      companyId,
      Array.from({ length: size }, () => anEmployee()),
    );
    await makeBillingItems(
      db,
      companyId,
      ids.map((id) => aTicketCharge(id)),
    );
  });

/** Adds this many ticket charges for `chargedPeriod` that belong to no employee. */
export const makeCharges = (db: Db, companyId: CompanyId, count: number): Promise<void> =>
  inBatches(count, (size) => {
    const { employee_id: _none, ...charge } = aTicketCharge(0);
    return makeBillingItems(
      db,
      companyId,
      Array.from({ length: size }, () => charge),
    );
  });
