import { hash, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/**
 * Tokens that work once and for some minutes: links that are mailed, challenges for authenticators, and sign-ins at an
 * identity provider. Only the SHA-256 of a token is stored. A link `by admin` was seen by an admin, who passed it on.
 *
 * A library of signed tokens (jose) would not do: a signature proves who made a token, but that it works once, and stops
 * working when another is requested, needs this row in any case.
 */
export type TokenKind =
  | 'password-reset'
  | 'password-reset by admin'
  | 'prove-address'
  | 'passkey'
  | 'sso'
  | 'employee-sso';

/** Returns the name under which a token is stored. */
export const tokenName = (kind: TokenKind, token: string) => `${kind} ${hash('sha256', token, 'hex')}`;

interface NewToken {
  /** What `useToken` returns: whose token it is, or what it is for. */
  value: string;
  minutes: number;
  /** Default: a random one. */
  token?: string;
}

/** Stores a token. Also deletes all that have expired. */
export async function insertToken(
  db: Db | Tx,
  kind: TokenKind,
  { value, minutes, token = randomBytes(32).toString('base64url') }: NewToken,
) {
  await sql`delete from portal_verifications v where v.expires_at <= now()`.execute(db);
  const expires_at = sql<string>`now() + make_interval(mins => ${minutes})`;
  const row = await db
    .insertInto('portal_verifications')
    .values({ id: randomUUID(), identifier: tokenName(kind, token), value, expires_at })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { token, expiresAt: row.expires_at };
}

/** Uses up a token and returns its value. Undefined: it is unknown, was used or has expired. */
export async function useToken(db: Db | Tx, kind: TokenKind, token: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('portal_verifications')
    .where('identifier', '=', tokenName(kind, token))
    .where('expires_at', '>', sql<string>`now()`)
    .returning('value')
    .executeTakeFirst();
  return row?.value;
}

/** Makes all tokens of a kind with this value worthless. A kind includes those that begin with its name. */
export async function deleteTokens(tx: Tx, kind: TokenKind, value: string): Promise<void> {
  await tx
    .deleteFrom('portal_verifications')
    .where('value', '=', value)
    .where('identifier', 'like', `${kind} %`)
    .execute();
}
