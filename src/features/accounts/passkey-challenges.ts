import { hash, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** How long a user may take to touch their authenticator. */
export const challengeMinutes = 5;

/** What a challenge was created for. A response to it counts for nothing else, and for no other user. */
export type ChallengePurpose = 'sign-in' | `add ${string}` | `step-up ${string}`;

const nameOf = (challenge: string) => `passkey ${hash('sha256', challenge, 'hex')}`;

/** Creates a challenge for an authenticator to sign. Also deletes those that have expired. */
export async function insertChallenge(db: Db, purpose: ChallengePurpose): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await sql`delete from portal_verifications where identifier like 'passkey %' and expires_at <= now()`.execute(db);
  await db
    .insertInto('portal_verifications')
    .values({
      id: randomUUID(),
      identifier: nameOf(challenge),
      value: purpose,
      expires_at: sql`now() + make_interval(mins => ${challengeMinutes})`,
    })
    .execute();
  return challenge;
}

/** Uses up a challenge. Returns false if it is unknown, was used before, has expired or has another purpose. */
export async function takeChallenge(db: Db, purpose: ChallengePurpose, challenge: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('portal_verifications')
    .where('identifier', '=', nameOf(challenge))
    .where('value', '=', purpose)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
