import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { countChange, writeShared } from '../../platform/db/write.ts';
import type { Account } from '../caller.ts';
import type { AppContext } from '../context.ts';
import {
  type Assertion,
  type Attestation,
  transports as knownTransports,
  type NewPasskeyOptions,
  type PasskeyOptions,
} from './contract.ts';
import { insertToken, useToken } from './tokens.ts';

/** Loaded with the first passkey, because it takes a third of a second, for which no start should wait. */
const loadLibrary = () => import('@simplewebauthn/server');

type Site = Pick<Config, 'publicUrl'>;

/** Ed25519, ES256 and RS256, as numbered by COSE: what authenticators offer. */
const algorithms = [-8, -7, -257];

/** Returns the known ones of the names that a browser gave. */
const readTransports = (names: readonly string[]) => knownTransports.filter((name) => names.includes(name));

/** Returns the name under which authenticators store a user: the id, without name or address. */
const userHandleOf = (userId: string) => Buffer.from(userId).toString('base64url');

/**
 * Returns what the library requires of a response (W3C Web Authentication): challenge, origin, relying party, and that
 * the authenticator has verified its user by a PIN or a fingerprint. The last makes a passkey two factors.
 */
const expectationOf = ({ publicUrl }: Site, challenge: string) => {
  const { hostname, origin } = new URL(publicUrl);
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: true,
  };
};

const head = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} }) as const;

type VerifiedKey = NonNullable<Awaited<ReturnType<typeof verifyAttestation>>>;

/** Returns the key that an authenticator has created. Undefined: the response is not valid. */
export async function verifyAttestation(
  site: Site,
  challenge: string,
  { id, clientDataJson, attestationObject, transports }: Static<typeof Attestation>,
) {
  const { verifyRegistrationResponse } = await loadLibrary();
  const response = { ...head(id), response: { clientDataJSON: clientDataJson, attestationObject } };
  const expected = { ...expectationOf(site, challenge), supportedAlgorithmIDs: algorithms };
  const result = await verifyRegistrationResponse({ response, ...expected }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { credential, credentialBackedUp } = result.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: readTransports(transports),
    // Whether the authenticator copies the key to other devices.
    is_synced: credentialBackedUp,
  };
}

/** Returns the new counter of a key that has signed. Undefined: the response is not valid. */
async function verifyAssertion(
  site: Site,
  challenge: string,
  { id, clientDataJson, authenticatorData, signature }: Static<typeof Assertion>,
  { publicKey, counter }: { publicKey: string; counter: number },
) {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const response = { ...head(id), response: { clientDataJSON: clientDataJson, authenticatorData, signature } };
  const credential = { id, publicKey: Buffer.from(publicKey, 'base64url'), counter };
  const expected = expectationOf(site, challenge);
  const result = await verifyAuthenticationResponse({ response, credential, ...expected }).catch(() => undefined);
  return result?.verified ? result.authenticationInfo : undefined;
}

/** How many passkeys a user can have. */
export const maxPasskeys = 10;

const shown = ['id', 'name', 'is_synced', 'created_at', 'last_used_at', 'credential_id', 'transports'] as const;

/** Returns the passkeys that this user has added, oldest first. */
export const listPasskeys = (db: Db | Tx, { userId }: Account) =>
  db
    .selectFrom('portal_passkeys')
    .select(shown)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export type Passkey = Awaited<ReturnType<typeof listPasskeys>>[number];

/** Stores a passkey. Returns undefined if a user, this one or another, already has it. */
export const insertPasskey = (tx: Tx, { userId, companyId }: Account, name: string, key: VerifiedKey) =>
  tx
    .insertInto('portal_passkeys')
    .values({ id: randomUUID(), user_id: userId, company_id: companyId, name, ...key })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(shown)
    .executeTakeFirst();

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
  const user_handle = sql<string>`coalesce(user_handle, ${userHandleOf(from.userId)})`;
  await tx
    .updateTable('portal_passkeys')
    .set({ user_id: to.userId, company_id: to.companyId, user_handle })
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
type ChallengePurpose = 'sign-in' | `add ${string}` | `step-up ${string}`;

/** Returns the challenge that a response is about. It is compared with what was stored, so it may be anything. */
function challengeOf(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the challenge of a response and uses it up. Undefined: it is unknown, was used, has expired or has another purpose. */
export async function takeChallenge(db: Db, purpose: ChallengePurpose, clientDataJson: string) {
  const challenge = challengeOf(clientDataJson);
  const isOpen = challenge !== undefined && (await useToken(db, 'passkey', challenge)) === purpose;
  return isOpen ? challenge : undefined;
}

const type = 'public-key' as const;

/** Returns what browsers need to create a passkey and to use one. */
async function startChallenge(db: Db, purpose: ChallengePurpose) {
  const { token } = await insertToken(db, 'passkey', { value: purpose, minutes: challengeMinutes });
  return { challenge: token, timeout: challengeMinutes * 60_000 };
}

const presentCredentials = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ credential_id: id, transports }) => ({ type, id, transports: readTransports(transports) }));

/** Returns how a browser creates a passkey for this user. */
export async function createNewPasskeyOptions(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  { id, email, name, company }: { id: string; email: string; name: string; company: { name: string } },
  known: readonly Passkey[],
): Promise<NewPasskeyOptions> {
  return {
    ...(await startChallenge(db, `add ${id}`)),
    rp: { id: new URL(config.publicUrl).hostname, name: 'Transit benefits' },
    user: { id: userHandleOf(id), name: email, displayName: `${name}, ${company.name}` },
    pubKeyCredParams: algorithms.map((alg) => ({ type, alg })),
    excludeCredentials: presentCredentials(known),
    // The authenticator stores whose key it is, and checks that it is them.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  };
}

/** Returns how a browser uses one of these passkeys or, if there are none, any that it has for this site. */
export async function createPasskeyOptions(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  purpose: ChallengePurpose,
  allowed: readonly Passkey[] = [],
): Promise<PasskeyOptions> {
  return {
    ...(await startChallenge(db, purpose)),
    rpId: new URL(config.publicUrl).hostname,
    allowCredentials: presentCredentials(allowed),
    userVerification: 'required',
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
    // Locked, so that its counter is compared and stored in one step.
    const stored = await tx
      .selectFrom('portal_passkeys as k')
      .innerJoin('portal_users as u', 'u.id', 'k.user_id')
      .select(['k.user_id as userId', 'k.company_id', 'k.public_key as publicKey', 'k.counter', 'k.user_handle'])
      .where('k.credential_id', '=', passkey.id)
      .where('u.removed_at', 'is', null)
      .forUpdate('k')
      .executeTakeFirst();
    if (stored === undefined) return undefined;
    const { userId, user_handle } = stored;
    if (passkey.userHandle !== null && passkey.userHandle !== (user_handle ?? userHandleOf(userId))) return undefined;
    const used = await verifyAssertion(config, challenge, passkey, stored);
    if (used === undefined) return undefined;
    await tx
      .updateTable('portal_passkeys')
      .set({ counter: used.newCounter, is_synced: used.credentialBackedUp, last_used_at: sql`now()` })
      .where('credential_id', '=', passkey.id)
      .execute();
    const companyId = asCompanyId(stored.company_id);
    await countChange(tx, companyId);
    return { userId, companyId };
  });
}
