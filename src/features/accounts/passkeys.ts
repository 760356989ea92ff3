import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { countChange, writeShared } from '../../platform/db/write.ts';
import type { AppContext } from '../context.ts';
import type { Assertion, NewPasskeyOptionsSchema, PasskeyOptionsSchema } from './contract.ts';
import type { Account } from './memberships.ts';
import { insertToken, useToken } from './tokens.ts';
import {
  algorithms,
  challengeOf,
  readTransports,
  relyingPartyOf,
  userHandleOf,
  type VerifiedKey,
  verifyAssertion,
} from './webauthn.ts';

/** How many passkeys a user can have. */
export const maxPasskeys = 10;

const shown = ['id', 'name', 'is_synced', 'created_at', 'last_used_at'] as const;

/** Returns the passkeys that this user has added, oldest first. */
export const listPasskeys = (db: Db | Tx, { userId }: Account) =>
  db
    .selectFrom('portal_passkeys')
    .select([...shown, 'credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export type Passkey = Awaited<ReturnType<typeof listPasskeys>>[number];

/** Stores a passkey. Returns undefined if a user, this one or another, already has it. */
export const insertPasskey = (
  tx: Tx,
  { userId, companyId }: Account,
  name: string,
  { credentialId, publicKey, counter, transports, isSynced }: VerifiedKey,
): Promise<Passkey | undefined> =>
  tx
    .insertInto('portal_passkeys')
    .values({
      ...{ id: randomUUID(), user_id: userId, company_id: companyId, name },
      ...{ credential_id: credentialId, public_key: publicKey, counter, transports, is_synced: isSynced },
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning([...shown, 'credential_id', 'transports'])
    .executeTakeFirst();

/** Returns a passkey with its owner and locks it, so that its counter is compared and stored in one step. */
async function lockPasskey(tx: Tx, credentialId: string) {
  const row = await tx
    .selectFrom('portal_passkeys as k')
    .innerJoin('portal_users as u', 'u.id', 'k.user_id')
    .select(['k.user_id as userId', 'k.company_id', 'k.public_key as publicKey', 'k.counter', 'k.user_handle'])
    .where('k.credential_id', '=', credentialId)
    .where('u.removed_at', 'is', null)
    .forUpdate('k')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { company_id, user_handle, ...key } = row;
  const userHandle = user_handle ?? userHandleOf(key.userId);
  return { ...key, credentialId, companyId: asCompanyId(company_id), userHandle };
}

/** Removes a passkey of this user. Returns its name. */
export async function deletePasskey(tx: Tx, { userId }: Account, id: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('portal_passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** Gives all passkeys of a user to another membership of the account. Authenticators keep the name that they have stored. */
export async function movePasskeys(tx: Tx, from: Account, to: Account): Promise<void> {
  await tx
    .updateTable('portal_passkeys')
    .set({
      ...{ user_id: to.userId, company_id: to.companyId },
      user_handle: sql`coalesce(user_handle, ${userHandleOf(from.userId)})`,
    })
    .where('user_id', '=', from.userId)
    .execute();
}

/** Removes all passkeys of a user. Returns how many there were. */
export async function deletePasskeys(tx: Tx, userId: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('portal_passkeys').where('user_id', '=', userId).executeTakeFirst();
  return Number(numDeletedRows);
}

/** How long a user may take to touch their authenticator. */
const challengeMinutes = 5;

/** What a challenge was created for. A response to it counts for nothing else, and for no other user. */
export type ChallengePurpose = 'sign-in' | `add ${string}` | `step-up ${string}`;

const insertChallenge = async (db: Db, purpose: ChallengePurpose) =>
  (await insertToken(db, 'passkey', { value: purpose, minutes: challengeMinutes })).token;

/** Returns the challenge of a response and uses it up. Undefined: it is unknown, was used, has expired or has another purpose. */
export async function takeChallenge(db: Db, purpose: ChallengePurpose, clientDataJson: string) {
  const challenge = challengeOf(clientDataJson);
  const isOpen = challenge !== undefined && (await useToken(db, 'passkey', challenge)) === purpose;
  return isOpen ? challenge : undefined;
}

const timeout = challengeMinutes * 60_000;
const type = 'public-key' as const;

const presentCredentials = (passkeys: readonly Pick<Passkey, 'credential_id' | 'transports'>[]) =>
  passkeys.map(({ credential_id, transports }) => ({
    type,
    id: credential_id,
    transports: readTransports(transports),
  }));

/** Returns how a browser creates a passkey for this user. */
export async function createNewPasskeyOptions(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  { id, email, name, company }: { id: string; email: string; name: string; company: { name: string } },
  known: readonly Passkey[],
): Promise<Static<typeof NewPasskeyOptionsSchema>> {
  return {
    challenge: await insertChallenge(db, `add ${id}`),
    rp: { id: relyingPartyOf(config).id, name: 'Transit benefits' },
    user: { id: userHandleOf(id), name: email, displayName: `${name}, ${company.name}` },
    pubKeyCredParams: algorithms.map((alg) => ({ type, alg })),
    excludeCredentials: presentCredentials(known),
    // The authenticator stores whose key it is, and checks that it is them.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    timeout,
  };
}

/** Returns how a browser uses one of these passkeys or, if there are none, any that it has for this site. */
export async function createPasskeyOptions(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  purpose: ChallengePurpose,
  allowed: readonly Pick<Passkey, 'credential_id' | 'transports'>[] = [],
): Promise<Static<typeof PasskeyOptionsSchema>> {
  return {
    challenge: await insertChallenge(db, purpose),
    rpId: relyingPartyOf(config).id,
    allowCredentials: presentCredentials(allowed),
    userVerification: 'required',
    timeout,
  };
}

/**
 * Returns whose passkey has signed a challenge of this purpose. Undefined: the response is not valid. Either way the
 * challenge is used up, so that nobody sends the same response again.
 */
export async function usePasskey(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  purpose: ChallengePurpose,
  passkey: Static<typeof Assertion>,
): Promise<Account | undefined> {
  const challenge = await takeChallenge(db, purpose, passkey.clientDataJson);
  if (challenge === undefined) return undefined;
  return writeShared(db, async (tx) => {
    const stored = await lockPasskey(tx, passkey.id);
    if (stored === undefined) return undefined;
    const { userId, companyId, credentialId, userHandle } = stored;
    if (passkey.userHandle !== null && passkey.userHandle !== userHandle) return undefined;
    const used = await verifyAssertion(config, challenge, passkey, stored);
    if (used === undefined) return undefined;
    await tx
      .updateTable('portal_passkeys')
      .set({ counter: used.counter, is_synced: used.isSynced, last_used_at: sql`now()` })
      .where('credential_id', '=', credentialId)
      .execute();
    await countChange(tx, companyId);
    return { userId, companyId };
  });
}
