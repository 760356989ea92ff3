import type { Static } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/database.ts';
import type { NewPasskeyOptionsSchema, PasskeyOptionsSchema } from './contract.ts';
import { type ChallengePurpose, challengeMinutes, insertChallenge } from './passkey-challenges.ts';
import type { Passkey } from './passkeys.ts';
import { algorithms, readTransports, relyingPartyOf, userHandleOf } from './webauthn.ts';

interface OptionsDeps {
  db: Db;
  config: Pick<Config, 'publicUrl'>;
}

/** Who adds a passkey, and how authenticators name them. */
interface NewOwner {
  id: string;
  email: string;
  name: string;
  company: { name: string };
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
  { db, config }: OptionsDeps,
  { id, email, name, company }: NewOwner,
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
  { db, config }: OptionsDeps,
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
