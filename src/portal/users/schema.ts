import { type Static, Type } from 'typebox';
import { roles } from '../../domain/enums.ts';
import { Enum, Named, Nullable, Reference, Timestamp, withoutNul } from '../../http/schemas.ts';
import { Closed, Name, NewPassword } from '../schemas.ts';

export const UserParams = Type.Object({ userId: Type.String(withoutNul) });

export const UserSchema = Named(
  'User',
  Closed({
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: Enum(roles),
    lastSignInAt: Nullable(Timestamp('When the user last signed in, or null if never.')),
    disabled: Type.Boolean({ description: 'True if the user has no password until the operator sets a new one.' }),
  }),
);

export const OpenInvitationSchema = Named(
  'OpenInvitation',
  Closed({
    id: Type.Integer(),
    email: Type.String(),
    role: Enum(roles),
    expiresAt: Timestamp('When the invitation expires.'),
  }),
);

export const UsersSchema = Named(
  'Users',
  Closed({
    users: Type.Array(Reference(UserSchema)),
    invitations: Type.Array(Reference(OpenInvitationSchema)),
  }),
);

export const InvitationBody = Closed({ email: Type.String({ format: 'email', maxLength: 254 }), role: Enum(roles) });

export const NewInvitationSchema = Named(
  'NewInvitation',
  Closed({
    link: Type.String({ description: 'Lets its bearer become a user of the company. Shown only once.' }),
    expiresAt: Timestamp('When the invitation expires.'),
  }),
);

export const UserKeySchema = Named(
  'UserKey',
  Closed(
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
  ),
);

const keyNames = Type.Array(Type.String({ maxLength: 40 }), { maxItems: 1000 });
export const RemoveUserBody = Closed({ revokeKeys: keyNames, keepKeys: keyNames });
export type RemoveUserBody = Static<typeof RemoveUserBody>;

export const RoleBody = Closed({ role: Enum(roles) });

export const TokenParams = Type.Object({ token: Type.String() });

export const InvitationSchema = Named(
  'Invitation',
  Closed({ email: Type.String(), companyName: Type.String(), role: Enum(roles) }),
);

export const AcceptInvitationBody = Closed({ name: Name(100), password: NewPassword });
