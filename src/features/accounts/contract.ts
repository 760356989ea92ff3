import { type Static, Type } from 'typebox';
import { sessionMethods } from '../../domain/enums.ts';
import { Closed, Name, NewPassword, Password } from '../../platform/http/portal/schemas.ts';
import { Enum, Nullable, Timestamp, withoutNul } from '../../platform/http/schemas.ts';

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

export const PasskeySchema = Closed({
  id: Type.String(),
  name: Type.String(),
  isSynced: Type.Boolean({ description: 'Whether the authenticator copies it to other devices of the user.' }),
  createdAt: Timestamp('When it was added.'),
  lastUsedAt: Nullable(Timestamp('When it was last used, or null if never.')),
});

export type Passkey = Static<typeof PasskeySchema>;

export const PasskeysSchema = Closed({
  passkeys: Type.Array(PasskeySchema),
  isFull: Type.Boolean({ description: 'Whether there are ten, so that no other can be added.' }),
});

export type Passkeys = Static<typeof PasskeysSchema>;

const PublicKey = Enum(['public-key']);

const Credentials = Type.Array(
  Closed({ type: PublicKey, id: Type.String(), transports: Type.Array(Enum(transports)) }),
);

const Milliseconds = Type.Integer({ description: 'How long the browser waits, in milliseconds.' });

/** What a page passes to the browser to create a passkey: `PublicKeyCredentialCreationOptionsJSON` of the standard. */
export const NewPasskeyOptionsSchema = Closed({
  challenge: Type.String(),
  rp: Closed({ id: Type.String(), name: Type.String() }),
  user: Closed({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Closed({ type: PublicKey, alg: Type.Integer() })),
  excludeCredentials: Credentials,
  authenticatorSelection: Closed({ residentKey: Enum(['required']), userVerification: Enum(['required']) }),
  attestation: Enum(['none']),
  timeout: Milliseconds,
});

export type NewPasskeyOptions = Static<typeof NewPasskeyOptionsSchema>;

/** What a page passes to the browser to use a passkey: `PublicKeyCredentialRequestOptionsJSON` of the standard. */
export const PasskeyOptionsSchema = Closed({
  challenge: Type.String(),
  rpId: Type.String(),
  allowCredentials: Credentials,
  userVerification: Enum(['required']),
  timeout: Milliseconds,
});

export type PasskeyOptions = Static<typeof PasskeyOptionsSchema>;

export const NewPasskeyBody = Closed({ name: Name(100), passkey: Attestation });

export type NewPasskeyBody = Static<typeof NewPasskeyBody>;

export const PasskeyBody = Closed({ passkey: Assertion });

export type PasskeyBody = Static<typeof PasskeyBody>;

export const PasskeyParams = Type.Object({ passkeyId: Type.String(withoutNul) });

/** A code of the app, or a recovery code. */
const Code = Type.String({ minLength: 6, maxLength: 40 });

export const SignInBody = Closed({
  email: Name(254),
  password: Password,
  code: Type.Optional(Code),
  passkey: Type.Optional(Assertion),
});

export type SignInBody = Static<typeof SignInBody>;

export const ChangePasswordBody = Closed({ currentPassword: Password, newPassword: NewPassword });

export type ChangePasswordBody = Static<typeof ChangePasswordBody>;

const rules = {
  secondFactorRequired: Type.Boolean({ description: 'Whether every user needs a second factor.' }),
  sessionIdleMinutes: Type.Integer({
    minimum: 5,
    maximum: 10_080,
    description: 'A session ends after so many minutes without use.',
  }),
};

export const AccessSettingsBody = Closed(rules);

export type AccessSettingsBody = Static<typeof AccessSettingsBody>;

export type AccessSettings = AccessSettingsBody;

export const MembershipsSchema = Closed({
  companies: Type.Array(Closed({ id: Type.Integer(), name: Type.String() }), {
    description: 'The companies that this account can open, the current one included.',
  }),
  isProven: Type.Boolean({ description: 'False: the account is local to this company until the address is proven.' }),
  mayProve: Type.Boolean({ description: 'Whether the service can mail a link that proves the address.' }),
});

export type Memberships = Static<typeof MembershipsSchema>;

export const SwitchBody = Closed({ companyId: Type.Integer({ minimum: 1 }) });

export type SwitchBody = Static<typeof SwitchBody>;

export const RequestBody = Closed({ email: Name(254) });

export type RequestBody = Static<typeof RequestBody>;

export const ResetBody = Closed({ token: Type.String({ minLength: 1, maxLength: 100 }), newPassword: NewPassword });

export type ResetBody = Static<typeof ResetBody>;

export const SecondFactorSchema = Closed({
  isEnabled: Type.Boolean(),
  isRequired: Type.Boolean({ description: 'Whether the company requires one.' }),
  recoveryCodes: Type.Integer({ description: 'How many recovery codes are left.' }),
});

export type SecondFactor = Static<typeof SecondFactorSchema>;

export const NewSecondFactorSchema = Closed({
  secret: Type.String({ description: 'To type into an authenticator app.' }),
  uri: Type.String({ description: 'Opens an authenticator app on the same device.' }),
});

export type NewSecondFactor = Static<typeof NewSecondFactorSchema>;

export const RecoveryCodesSchema = Closed({ recoveryCodes: Type.Array(Type.String()) });

export type RecoveryCodes = Static<typeof RecoveryCodesSchema>;

export const SessionSchema = Closed({
  id: Type.String(),
  device: Nullable(Type.String(), 'Browser and system, such as `Firefox, Windows`. Null: unknown.'),
  address: Nullable(Type.String(), 'The address from which the user signed in.'),
  signedInAt: Timestamp('When the session began.'),
  lastUsedAt: Timestamp('When the session was last used, to the minute.'),
  method: Nullable(Enum(sessionMethods), 'How the user signed in. Null: unknown.'),
  isCurrent: Type.Boolean({ description: 'Whether it is the session of this request.' }),
});

export type Session = Static<typeof SessionSchema>;

export const ConfirmFactorBody = Closed({ code: Code });

export type ConfirmFactorBody = Static<typeof ConfirmFactorBody>;

export const StepUpBody = Closed({ credential: Password });

export type StepUpBody = Static<typeof StepUpBody>;
