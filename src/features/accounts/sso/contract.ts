import { type Static, Type } from 'typebox';
import { roles } from '../../../domain/enums.ts';
import { Closed, Name } from '../../../platform/http/portal/schemas.ts';
import { Enum, Nullable, withoutNul } from '../../../platform/http/schemas.ts';

const Roles = (minItems: number) => Type.Array(Enum(roles), { minItems, maxItems: roles.length, uniqueItems: true });

const connection = {
  issuer: Type.String({ minLength: 8, maxLength: 500, description: 'The issuer, as the identity provider states it.' }),
  clientId: Type.String({ minLength: 1, maxLength: 300 }),
  defaultRoles: Type.Array(Enum(roles), {
    maxItems: roles.length,
    uniqueItems: true,
    description: 'The roles of users whose groups give them no role. Empty: these users are refused.',
  }),
  groupsClaim: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The claim of the ID token that lists groups.',
  }),
  groupRoles: Type.Array(Closed({ group: Type.String({ minLength: 1, maxLength: 200 }), roles: Roles(1) }), {
    maxItems: 100,
  }),
  isEnforced: Type.Boolean({ description: 'Whether only the user of `breakGlassUserId` signs in with a password.' }),
  breakGlassUserId: Nullable(Type.String({ maxLength: 64 })),
};

const SsoDomainSchema = Closed({
  domain: Type.String(),
  isProven: Type.Boolean(),
  recordName: Type.String({ description: 'The name of the TXT record that proves the domain.' }),
  recordValue: Type.String(),
});

export const SsoSchema = Closed({
  connection: Nullable(Closed(connection)),
  domains: Type.Array(SsoDomainSchema),
  redirectUri: Type.String({ description: 'Where the identity provider sends users back to.' }),
});

export type Sso = Static<typeof SsoSchema>;

export const SsoBody = Closed({
  ...connection,
  clientSecret: Nullable(Type.String({ minLength: 1, maxLength: 1000 }), 'Null: the stored secret stays.'),
});

export type SsoBody = Static<typeof SsoBody>;

export const DomainBody = Closed({ domain: Name(253) });

export type DomainBody = Static<typeof DomainBody>;

export const DomainParams = Type.Object({ domain: Type.String({ maxLength: 253, ...withoutNul }) });

export const StartSsoBody = Closed({ email: Name(254) });

export type StartSsoBody = Static<typeof StartSsoBody>;

export const FinishSsoBody = Closed({
  connection: Nullable(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    'The last part of the path. Null: the address without one, which is not used any more.',
  ),
  query: Type.String({
    pattern: '^\\?',
    maxLength: 8192,
    description: 'The part of the address behind the path, from the question mark.',
  }),
});

export type FinishSsoBody = Static<typeof FinishSsoBody>;

export const StartedSsoSchema = Closed({
  url: Nullable(Type.String(), 'Where to continue. Null: the domain has no single sign-on.'),
});

export type StartedSso = Static<typeof StartedSsoSchema>;
