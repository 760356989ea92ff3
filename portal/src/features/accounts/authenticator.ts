import type {
  NewPasskeyBody,
  NewPasskeyOptions,
  PasskeyBody,
  PasskeyOptions,
} from '../../../../src/features/accounts/contract.ts';

/** The browser has returned no passkey: the user has cancelled or waited too long, or the device has none that fits. */
export class NoPasskeyError extends Error {}

/** Returns whether this browser can create and use passkeys. */
export const supportsPasskeys = () =>
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Throws a `NoPasskeyError` for whatever the browser refuses: it does not reveal to pages why. */
async function ask(request: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await request().catch(() => null);
  if (credential instanceof PublicKeyCredential) return credential;
  throw new NoPasskeyError();
}

/** Lets the user create a passkey. */
export async function createPasskey(options: NewPasskeyOptions): Promise<NewPasskeyBody['passkey']> {
  const credential = await ask(async () =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
  const { id, response } = credential.toJSON() as RegistrationResponseJSON;
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, clientDataJson: clientDataJSON, attestationObject, transports };
}

/** Lets the user choose a passkey and prove who they are with it. */
export async function findPasskey(options: PasskeyOptions): Promise<PasskeyBody['passkey']> {
  const credential = await ask(async () =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
  const { id, response } = credential.toJSON() as AuthenticationResponseJSON;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, clientDataJson: clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null };
}
