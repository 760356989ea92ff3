import { Type } from 'typebox';
import { Closed, Name } from '../../platform/http/portal/schemas.ts';
import { Enum, Named, Nullable, Reference, Timestamp, withoutNul } from '../../platform/http/schemas.ts';

const Encoded = (maxLength: number) => Type.String({ ...withoutNul, minLength: 1, maxLength });

/** How browsers reach authenticators (W3C Web Authentication, AuthenticatorTransport). */
export const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** What an authenticator returns for a new passkey. Binary values in base64url. */
export const Attestation = Closed({
  id: Encoded(1_400),
  clientDataJson: Encoded(4_000),
  attestationObject: Encoded(20_000),
  transports: Type.Array(Type.String({ maxLength: 30 }), { maxItems: 20, description: 'Unknown ones are ignored.' }),
});

/** What an authenticator signs with a passkey. Binary values in base64url. */
export const Assertion = Closed({
  id: Encoded(1_400),
  clientDataJson: Encoded(4_000),
  authenticatorData: Encoded(4_000),
  signature: Encoded(4_000),
  userHandle: Nullable(Type.String({ maxLength: 100 }), 'Whose passkey it is, as the authenticator has stored.'),
});

export const PasskeySchema = Named(
  'Passkey',
  Closed({
    id: Type.String(),
    name: Type.String(),
    isSynced: Type.Boolean({ description: 'Whether the authenticator copies it to other devices of the user.' }),
    createdAt: Timestamp('When it was added.'),
    lastUsedAt: Nullable(Timestamp('When it was last used, or null if never.')),
  }),
);

export const PasskeysSchema = Named(
  'Passkeys',
  Closed({
    passkeys: Type.Array(Reference(PasskeySchema)),
    isFull: Type.Boolean({ description: 'Whether there are ten, so that no other can be added.' }),
  }),
);

const PublicKey = Enum(['public-key']);
const Credentials = Type.Array(
  Closed({ type: PublicKey, id: Type.String(), transports: Type.Array(Enum(transports)) }),
);
const Milliseconds = Type.Integer({ description: 'How long the browser waits, in milliseconds.' });

/** What a page passes to the browser to create a passkey: `PublicKeyCredentialCreationOptionsJSON` of the standard. */
export const NewPasskeyOptionsSchema = Named(
  'NewPasskeyOptions',
  Closed({
    challenge: Type.String(),
    rp: Closed({ id: Type.String(), name: Type.String() }),
    user: Closed({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Closed({ type: PublicKey, alg: Type.Integer() })),
    excludeCredentials: Credentials,
    authenticatorSelection: Closed({ residentKey: Enum(['required']), userVerification: Enum(['required']) }),
    attestation: Enum(['none']),
    timeout: Milliseconds,
  }),
);

/** What a page passes to the browser to use a passkey: `PublicKeyCredentialRequestOptionsJSON` of the standard. */
export const PasskeyOptionsSchema = Named(
  'PasskeyOptions',
  Closed({
    challenge: Type.String(),
    rpId: Type.String(),
    allowCredentials: Credentials,
    userVerification: Enum(['required']),
    timeout: Milliseconds,
  }),
);

export const NewPasskeyBody = Closed({ name: Name(100), passkey: Attestation });
export const PasskeyBody = Closed({ passkey: Assertion });
export const PasskeyParams = Type.Object({ passkeyId: Type.String(withoutNul) });
