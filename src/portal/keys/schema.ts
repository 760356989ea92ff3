import { type Static, Type } from 'typebox';
import { permissions } from '../../domain/enums.ts';
import { Enum, Named, Nullable, Timestamp } from '../../http/schemas.ts';
import { Closed, Name } from '../schemas.ts';

export const keyStates = ['active', 'expired', 'revoked'] as const;

export const ApiKeySchema = Named(
  'ApiKey',
  Closed({
    username: Type.String(),
    name: Type.String(),
    permissions: Type.Array(Enum(permissions)),
    createdAt: Timestamp('When the key was created.'),
    lastUsedAt: Nullable(Timestamp('When the key was last used, or null if never.')),
    expiresAt: Nullable(Timestamp('When the key expires, or null if never.')),
    revokedAt: Nullable(Timestamp('When the key was revoked, or null.')),
    previousValidUntil: Nullable(Timestamp('The password from before the last rotation works until this time.')),
    state: Enum(keyStates),
  }),
);
export type ApiKey = Static<typeof ApiKeySchema>;

export const NewSecretSchema = Named(
  'NewSecret',
  Closed({ username: Type.String(), password: Type.String() }, 'The credentials of a key. Shown only once.'),
);

export const NewKeyBody = Closed({
  name: Name(100),
  permissions: Type.Array(Enum(permissions), { minItems: 1, maxItems: permissions.length, uniqueItems: true }),
  expiresAt: Nullable(Type.String({ format: 'date-time' }), 'When the key expires, or null for never.'),
});

export const RotateKeyBody = Closed({
  overlapHours: Type.Integer({
    minimum: 0,
    maximum: 24 * 30,
    description: 'For how many hours the previous password still works.',
  }),
});

export const KeyParams = Type.Object({ username: Type.String() });
