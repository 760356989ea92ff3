import { hashSecret } from '../../platform/crypto/company-token.ts';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { vouchesFor } from '../accounts/sso/manage.ts';
import type { DeviceToken } from './cookies.ts';
import { useSession } from './store.ts';

export type Employment = NonNullable<Awaited<ReturnType<typeof useEmployment>>>;

/**
 * Returns an employment that a device may open, and notes that it is used. One that another company's identity provider has
 * opened lasts as long as that company has it: statements of that company cannot reach it.
 */
async function useEmployment(db: Db, companyId: CompanyId, secret: string) {
  const session = await useSession(db, companyId, hashSecret(secret));
  if (session === undefined) return undefined;
  const { connectionCompanyId: connected, connectionIssuer: issuer, email } = session;
  const isForeign = connected !== null && connected !== companyId;
  if (isForeign && !(await vouchesFor(db, asCompanyId(connected), { issuer, email }))) return undefined;
  return { companyId, secret, ...session };
}

/** Returns the first employment of a device that has not ended: one that ends leaves the others as they are. */
export async function findEmployment(db: Db, token: DeviceToken | undefined): Promise<Employment | undefined> {
  for (const companyId of token?.companyIds ?? []) {
    const found = await useEmployment(db, companyId, token?.secret ?? '');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns all employments of a device that have not ended, in the order of its cookie. */
export async function listEmployments(db: Db, token: DeviceToken | undefined): Promise<Employment[]> {
  if (token === undefined) return [];
  // One statement per company: on a Citus cluster they are on different machines.
  const found = await Promise.all(token.companyIds.map((companyId) => useEmployment(db, companyId, token.secret)));
  return found.filter((one) => one !== undefined);
}
