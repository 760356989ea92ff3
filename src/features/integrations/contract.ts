import { type Static, Type } from 'typebox';
import { integrationStatuses, integrationTypes, onboardingStatuses, syncOutcomes } from '../../domain/enums.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import { Closed, Name } from '../../platform/http/portal/schemas.ts';
import {
  Enum,
  IdParams,
  LinkSchema,
  maxInteger,
  Named,
  Nullable,
  Reference,
  Timestamp,
} from '../../platform/http/schemas.ts';

export const HrIntegrationSchema = Named(
  'HrIntegration',
  Closed({
    id: Type.Integer({ description: 'The path parameter of the sync operation.' }),
    name: Type.String(),
    type: Enum(integrationTypes, {
      description: '`hr-integration`: synced from a third-party HR system; `api-integration`: pushed by the company.',
    }),
    status: Enum(integrationStatuses, {
      description:
        '`active`: connected and working; `invalid`: credentials expired or revoked: reconnect the HR system, or create a key with all permissions for employees if a key has pushed the rosters and none may any more; `inactive`: disabled.',
    }),
    initialConnectionStatus: Enum(onboardingStatuses, {
      description:
        '`incomplete`: setup not finished; `final-sync-pending`: waiting for the first full sync; `completed`: set up.',
    }),
    lastSyncId: Nullable(Type.String(), 'The last sync. Null if none has run.'),
    lastSynced: Nullable(Timestamp('When the last completed sync was applied. Null if there is none.')),
    lastSyncStatus: Nullable(
      Enum(syncOutcomes),
      '`succeeded`: all records were applied; `partially-failed`: some records failed or need approval; `failed`: the whole sync failed; `authentication-failed`: the HR system rejected the credentials. Null if none has run.',
    ),
    canTriggerSync: Type.Boolean({ description: 'True only if `status` is `active` and the setup is completed.' }),
    resource: Enum(['hr-integration']),
    _links: Closed({ self: Reference(LinkSchema) }),
  }),
);
export type HrIntegration = Static<typeof HrIntegrationSchema>;

export const HrIntegrationsQuery = Type.Object({
  ...pagingParameters,
  sortField: Enum(['id', 'createdAt', 'updatedAt'], { default: 'id', description: 'Field to sort by.' }),
  ids: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: maxInteger }), {
      description: 'Only integrations with one of these ids.',
    }),
  ),
  types: Type.Optional(Type.Array(Enum(integrationTypes), { description: 'Only integrations of one of these types.' })),
});
export type HrIntegrationsQuery = Static<typeof HrIntegrationsQuery>;

export const hrIntegrationExample: HrIntegration = {
  id: 1,
  name: 'Workday roster push',
  type: 'api-integration',
  status: 'active',
  initialConnectionStatus: 'completed',
  lastSyncId: '2026-11-14T02:00',
  lastSynced: '2026-11-14T02:00:04Z',
  lastSyncStatus: 'succeeded',
  canTriggerSync: true,
  resource: 'hr-integration',
  _links: { self: { href: 'http://localhost:3000/v1/hr-integrations/1', type: 'application/json' } },
};

export const IntegrationParams = IdParams('integration');

export const NewIntegrationBody = Closed({ name: Name(100), type: Enum(integrationTypes) });
export type NewIntegrationBody = Static<typeof NewIntegrationBody>;

export const IntegrationStatusBody = Closed({ status: Enum(['active', 'inactive']) });
export type IntegrationStatusBody = Static<typeof IntegrationStatusBody>;

export const RenameBody = Closed({ name: NewIntegrationBody.properties.name });
export type RenameBody = Static<typeof RenameBody>;
