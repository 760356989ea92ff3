import { sql } from 'kysely';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { listProvenMemberships, lockAddress } from './memberships.ts';
import { deletePasskeys } from './passkeys.ts';
import { deleteApp } from './second-factor.ts';
import { deleteSessions, storePassword } from './store.ts';

interface Proof {
  id: string;
  email: string;
  /** The session that brought the proof. All others end: they may belong to somebody who was given the link. */
  sessionId?: string | undefined;
  by: By;
}

/**
 * Makes the user part of the account of their address. If the account exists, its password replaces the one of this
 * membership. Removes its passkeys and, then, its app. Does nothing if the address is already proven.
 */
export async function proveAddress(tx: Tx, companyId: CompanyId, { id, email, sessionId, by }: Proof): Promise<void> {
  await lockAddress(tx, email);
  const memberships = await listProvenMemberships(tx, email);
  if (memberships.some(({ userId }) => userId === id)) return;
  const hash = memberships.find((one) => one.hash !== null)?.hash;
  if (hash != null) await storePassword(tx, id, hash);
  await tx
    .updateTable('portal_users')
    .set({ address_proven_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  const sessions = await deleteSessions(tx, id, sessionId);
  // Somebody who was given the link may have added them, and they would now open every company of the account.
  const passkeys = await deletePasskeys(tx, id);
  // For the same reason, an app does not become one of an account that exists already.
  if (memberships.length > 0) await deleteApp(tx, { companyId, userId: id });
  const detail = { sessions, ...(passkeys > 0 ? { passkeys } : {}) };
  await insertAudit(tx, companyId, { action: 'user.prove-address', target: id, detail, ...by });
}
