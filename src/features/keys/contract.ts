import { type Static, Type } from 'typebox';
import { permissions } from '../../domain/enums.ts';
import { Closed, Name } from '../../platform/http/portal/schemas.ts';
import { Enum, Nullable, PlainDate, Timestamp } from '../../platform/http/schemas.ts';

const keyStates = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

export const ApiKeySchema = Closed({
  username: Type.String(),
  name: Type.String(),
  permissions: Type.Array(Enum(permissions)),
  requestedPermissions: Nullable(
    Type.Array(Enum(permissions)),
    'What the key may do once an admin has approved it. Null: nothing waits.',
  ),
  createdAt: Timestamp('When the key was created.'),
  lastUsedAt: Nullable(Timestamp('When the key was last used, or null if never.')),
  expiresAt: Nullable(Timestamp('When the key expires, or null if never.')),
  revokedAt: Nullable(Timestamp('When the key was revoked, or null.')),
  previousValidUntil: Nullable(Timestamp('The password from before the last rotation works until this time.')),
  state: Enum(keyStates),
});

export type ApiKey = Static<typeof ApiKeySchema>;

export const KeyDetailsSchema = Closed({
  key: ApiKeySchema,
  createdBy: Nullable(Type.String(), 'The name of the user who created the key. Null for the operator.'),
  lastAddress: Nullable(
    Type.String(),
    'The IP address of the last request of which it is known, or null if there was none within 30 days.',
  ),
  usage: Type.Array(
    Closed({
      day: PlainDate("The day, in the company's time zone."),
      requests: Type.Integer(),
      clientErrors: Type.Integer({ description: 'Requests that were refused: status 4xx.' }),
      serverErrors: Type.Integer({ description: 'Requests that failed: status 5xx.' }),
    }),
    { description: 'The requests of each of the last 30 days, oldest first.' },
  ),
});

export type KeyDetails = Static<typeof KeyDetailsSchema>;

export const NewSecretSchema = Closed(
  {
    username: Type.String(),
    password: Type.String(),
    requestedPermissions: Nullable(
      Type.Array(Enum(permissions)),
      'What an admin has to approve first. Until then, the key has those permissions that the user may grant.',
    ),
  },
  'The credentials of a key. Shown only once.',
);

export type NewSecret = Static<typeof NewSecretSchema>;

const Permissions = (description?: string) =>
  Type.Array(Enum(permissions), {
    minItems: 1,
    maxItems: permissions.length,
    uniqueItems: true,
    ...(description && { description }),
  });

export const KeyBody = Closed({ name: Name(100), permissions: Permissions() });

export type KeyBody = Static<typeof KeyBody>;

export const NewKeyBody = Closed({
  ...KeyBody.properties,
  expiresAt: Nullable(Type.String({ format: 'date-time' }), 'When the key expires, or null for never.'),
});

export type NewKeyBody = Static<typeof NewKeyBody>;

export const KeyDecisionBody = Closed({
  permissions: Permissions('The permissions that wait, as the admin has seen them.'),
});

export type KeyDecisionBody = Static<typeof KeyDecisionBody>;

export const RotateKeyBody = Closed({
  overlapHours: Type.Integer({
    minimum: 0,
    maximum: 24 * 30,
    description: 'For how many hours the previous password still works.',
  }),
});

export type RotateKeyBody = Static<typeof RotateKeyBody>;

export const KeyParams = Type.Object({ username: Type.String() });
