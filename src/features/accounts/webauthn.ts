import type { Static } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import { type Assertion, type Attestation, transports } from './contract.ts';

/**
 * Verifies what authenticators sign (W3C Web Authentication). The library compares challenge, origin and relying party,
 * and requires that the authenticator has verified its user by a PIN or a fingerprint: that makes a passkey two factors.
 */

/** Loaded with the first passkey, because it takes a third of a second, for which no start should wait. */
const loadLibrary = () => import('@simplewebauthn/server');

/** Ed25519, ES256 and RS256, as numbered by COSE: what authenticators offer. */
export const algorithms = [-8, -7, -257];

export type Transport = (typeof transports)[number];

/** Returns the known ones of the names that a browser gave. */
export const readTransports = (names: readonly string[]): Transport[] =>
  transports.filter((name) => names.includes(name));

export interface StoredKey {
  credentialId: string;
  /** In base64url. */
  publicKey: string;
  counter: number;
}

export interface VerifiedKey extends StoredKey {
  transports: Transport[];
  /** Whether the authenticator copies the key to other devices. */
  isSynced: boolean;
}

/** Returns for which site authenticators sign. */
export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** Returns the name under which authenticators store a user. It says nothing about them. */
export const userHandleOf = (userId: string) => Buffer.from(userId).toString('base64url');

/** Returns the challenge that a response is about. It is compared with what was stored, so it may be anything. */
export function challengeOf(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

const expectationOf = (config: Pick<Config, 'publicUrl'>, challenge: string) => {
  const { id, origin } = relyingPartyOf(config);
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true };
};

const head = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} }) as const;

/** Returns the key that an authenticator has created. Undefined: the response is not valid. */
export async function verifyAttestation(
  config: Pick<Config, 'publicUrl'>,
  challenge: string,
  { id, clientDataJson, attestationObject, transports: names }: Static<typeof Attestation>,
): Promise<VerifiedKey | undefined> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const response = { ...head(id), response: { clientDataJSON: clientDataJson, attestationObject } };
  const result = await verifyRegistrationResponse({
    ...{ response, supportedAlgorithmIDs: algorithms },
    ...expectationOf(config, challenge),
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { credential, credentialBackedUp } = result.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: readTransports(names),
    isSynced: credentialBackedUp,
  };
}

/** Returns the new counter of a key that has signed. Undefined: the response is not valid. */
export async function verifyAssertion(
  config: Pick<Config, 'publicUrl'>,
  challenge: string,
  { clientDataJson, authenticatorData, signature }: Static<typeof Assertion>,
  { credentialId, publicKey, counter }: StoredKey,
): Promise<{ counter: number; isSynced: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const response = {
    ...head(credentialId),
    response: { clientDataJSON: clientDataJson, authenticatorData, signature },
  };
  const credential = { id: credentialId, publicKey: Buffer.from(publicKey, 'base64url'), counter };
  const result = await verifyAuthenticationResponse({
    ...{ response, credential },
    ...expectationOf(config, challenge),
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { newCounter, credentialBackedUp } = result.authenticationInfo;
  return { counter: newCounter, isSynced: credentialBackedUp };
}
