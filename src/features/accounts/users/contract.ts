import { type Static, Type } from 'typebox';
import { endpointStates, roles } from '../../../domain/enums.ts';
import { Closed, Name, NewPassword, Password } from '../../../platform/http/portal/schemas.ts';
import { Enum, maxInteger, Nullable, Timestamp, withoutNul } from '../../../platform/http/schemas.ts';

/** One or several different roles. */
const RoleSet = Type.Array(Enum(roles), { minItems: 1, maxItems: roles.length, uniqueItems: true });

export const UserParams = Type.Object({ userId: Type.String(withoutNul) });

const UserSchema = Closed({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  roles: Type.Array(Enum(roles)),
  lastSignInAt: Nullable(Timestamp('When the user last signed in, or null if never.')),
  hasSecondFactor: Type.Boolean(),
  disabled: Type.Boolean({ description: 'True if the user has no password until the operator sets a new one.' }),
});

const OpenInvitationSchema = Closed({
  id: Type.Integer(),
  email: Type.String(),
  roles: Type.Array(Enum(roles)),
  expiresAt: Timestamp('When the invitation expires.'),
});

export const UsersSchema = Closed({
  users: Type.Array(UserSchema),
  invitations: Type.Array(OpenInvitationSchema),
});

export type Users = Static<typeof UsersSchema>;

export const InvitationBody = Closed({ email: Type.String({ format: 'email', maxLength: 254 }), roles: RoleSet });

export type InvitationBody = Static<typeof InvitationBody>;

export const NewInvitationSchema = Closed({
  link: Nullable(
    Type.String({
      description:
        'Lets its bearer become a user of the company. Shown only once. Null: it was mailed to the address, and nobody else sees it.',
    }),
  ),
  expiresAt: Timestamp('When the invitation expires.'),
});

export type NewInvitation = Static<typeof NewInvitationSchema>;

export const ResetLinkSchema = Closed({
  link: Nullable(
    Type.String({
      description: 'Lets its bearer choose a new password. Shown only once. Null: it was mailed to the user.',
    }),
  ),
  expiresAt: Timestamp('When the link expires.'),
});

export type ResetLink = Static<typeof ResetLinkSchema>;

export const UserKeySchema = Closed(
  {
    username: Type.String(),
    name: Type.String(),
    lastUsedAt: Nullable(Timestamp('When the key was last used, or null if never.')),
    isOnlyTheirs: Type.Boolean({
      description:
        'True if the current password was shown to no other user. Such a key is revoked with the user unless listed in `keepKeys`.',
    }),
  },
  'An active key that the user created or knows.',
);

export type UserKey = Static<typeof UserKeySchema>;

export const UserEndpointSchema = Closed(
  {
    id: Type.Integer(),
    host: Type.String(),
    description: Type.String(),
    state: Enum(endpointStates),
  },
  'A webhook endpoint that the user created, changed or saw the secret of.',
);

export type UserEndpoint = Static<typeof UserEndpointSchema>;

const keyNames = Type.Array(Type.String({ maxLength: 40 }), { maxItems: 1000 });

export const RemoveUserBody = Closed({
  revokeKeys: keyNames,
  keepKeys: keyNames,
  disableEndpoints: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: maxInteger }), {
      maxItems: 100,
      description: 'Webhook endpoints to disable. All others go on.',
    }),
  ),
});

export type RemoveUserBody = Static<typeof RemoveUserBody>;

export const RolesBody = Closed({ roles: RoleSet });

export type RolesBody = Static<typeof RolesBody>;

export const TokenParams = Type.Object({ token: Type.String() });

export const InvitationSchema = Closed({
  email: Type.String(),
  companyName: Type.String(),
  roles: Type.Array(Enum(roles)),
  hasAccount: Type.Boolean({
    description:
      'True if the address has an account, whose password accepts the invitation. Always false for a link that was not mailed.',
  }),
});

export type Invitation = Static<typeof InvitationSchema>;

export const JoinBody = Closed({ password: Password });

export type JoinBody = Static<typeof JoinBody>;

export const AcceptInvitationBody = Closed({ name: Name(100), password: NewPassword });

export type AcceptInvitationBody = Static<typeof AcceptInvitationBody>;

export const EndedSessionsSchema = Closed({ sessions: Type.Integer() });

export type EndedSessions = Static<typeof EndedSessionsSchema>;
