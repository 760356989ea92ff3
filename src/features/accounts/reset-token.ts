import { hash, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

export const resetMinutes = 60;

/** Who has seen a link: only the user, to whose address it was mailed, or an admin, who passes it on. */
type Sender = 'mail' | 'admin';

const identifierOf = (token: string, sender: Sender) =>
  `password-reset ${sender === 'admin' ? 'by admin ' : ''}${hash('sha256', token, 'hex')}`;

/** Creates the token of a link that lets its bearer choose a new password. Only its SHA-256 is stored. */
export async function insertResetToken(tx: Tx, userId: string, sender: Sender): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await sql`delete from portal_verifications v where v.expires_at < now()`.execute(tx);
  await tx
    .insertInto('portal_verifications')
    .values({
      id: randomUUID(),
      identifier: identifierOf(token, sender),
      value: userId,
      expires_at: sql`now() + make_interval(mins => ${resetMinutes})`,
    })
    .execute();
  return token;
}

/** Returns whose token it is, and makes all tokens of this user worthless. Undefined: it is unknown, used or expired. */
export async function useResetToken(tx: Tx, token: string): Promise<{ userId: string; sender: Sender } | undefined> {
  const row = await tx
    .deleteFrom('portal_verifications')
    .where('identifier', 'in', [identifierOf(token, 'mail'), identifierOf(token, 'admin')])
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['identifier', 'value'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await tx
    .deleteFrom('portal_verifications')
    .where('value', '=', row.value)
    .where('identifier', 'like', 'password-reset %')
    .execute();
  return { userId: row.value, sender: row.identifier === identifierOf(token, 'admin') ? 'admin' : 'mail' };
}
