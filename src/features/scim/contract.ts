import { type Static, Type } from 'typebox';
import { hrIdAttributes } from '../../domain/enums.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, Nullable, Timestamp } from '../../platform/http/schemas.ts';

export const ScimTokenSchema = Closed({
  url: Type.String({ description: 'The tenant URL, or base URL, for the identity provider.' }),
  token: Type.String({ description: 'The bearer token. Shown only once.' }),
});
export type ScimToken = Static<typeof ScimTokenSchema>;

export const ScimStateSchema = Closed({
  url: Type.String(),
  token: Nullable(
    Closed({
      createdAt: Timestamp('When it was created.'),
      lastUsedAt: Nullable(Timestamp('When it, or the one before, was used last, to the minute.')),
      previousUntil: Nullable(Timestamp('Until when the token before it works too. Null: it does not.')),
    }),
    'Null: SCIM is not switched on, or its token was revoked.',
  ),
  hrIdAttribute: Enum(hrIdAttributes, { description: 'The attribute of a user that is the HR id.' }),
  users: Type.Integer({ description: 'Users that the identity provider has sent.' }),
  activeUsers: Type.Integer({ description: 'Those who are in the roster.' }),
  waitingChanges: Type.Integer({ description: 'Accepted changes that no sync contains yet.' }),
  nextSyncAt: Nullable(Timestamp('When they are applied at the latest.')),
  heldRemovals: Nullable(
    Closed({ syncId: Type.String(), count: Type.Integer() }),
    'Removals that wait for approval, and the sync that shows them.',
  ),
});
export type ScimState = Static<typeof ScimStateSchema>;

export const ScimSettingsBody = Closed({ hrIdAttribute: Enum(hrIdAttributes) });
export type ScimSettingsBody = Static<typeof ScimSettingsBody>;
