import { hashSecret } from '../../platform/crypto/company-token.ts';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { vouchesFor } from '../accounts/sso/manage.ts';
import type { DeviceToken } from './cookies.ts';
import { findSession } from './store.ts';
import type { SessionUses } from './uses.ts';

export type Employment = NonNullable<Awaited<ReturnType<typeof useEmployment>>>;

interface EmploymentContext {
  db: Db;
  uses: SessionUses;
}

/**
 * Returns an employment that a device may open, and notes that it is used. One that another company's identity provider has
 * opened lasts as long as that company has it: statements of that company cannot reach it.
 */
async function useEmployment({ db, uses }: EmploymentContext, companyId: CompanyId, secret: string) {
  const session = await findSession(db, companyId, hashSecret(secret));
  if (session === undefined) return undefined;
  const { connectionCompanyId: connected, connectionIssuer: issuer, email } = session;
  const isForeign = connected !== null && connected !== companyId;
  if (isForeign && !(await vouchesFor(db, asCompanyId(connected), { issuer, email }))) return undefined;
  uses.note(companyId, session);
  return { companyId, secret, ...session };
}

/** Returns the first employment of a device that has not ended: one that ends leaves the others as they are. */
export async function findEmployment(
  context: EmploymentContext,
  token: DeviceToken | undefined,
): Promise<Employment | undefined> {
  for (const companyId of token?.companyIds ?? []) {
    const found = await useEmployment(context, companyId, token?.secret ?? '');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns all employments of a device that have not ended, in the order of its cookie. `current`: the one that is open. */
export async function listEmployments(
  context: EmploymentContext,
  token: DeviceToken | undefined,
  current: Employment,
): Promise<Employment[]> {
  if (token === undefined) return [];
  // One statement per company: on a Citus cluster they are on different machines.
  const found = await Promise.all(
    token.companyIds.map((companyId) =>
      companyId === current.companyId ? current : useEmployment(context, companyId, token.secret),
    ),
  );
  return found.filter((one) => one !== undefined);
}
