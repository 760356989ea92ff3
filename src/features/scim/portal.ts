import { NoContent } from '../../platform/http/portal/operation.ts';
import { IntegrationParams } from '../integrations/contract.ts';
import { portalRoutes } from '../portal-route.ts';
import { ScimSettingsBody, ScimStateSchema, ScimTokenSchema } from './contract.ts';
import { readScimState, setHrIdAttribute } from './state.ts';
import { createScimToken, revokeScimToken } from './tokens.ts';

export const scimRoutes = portalRoutes((route) => {
  route('GET /integrations/:id/scim', {
    summary: 'Get the state of SCIM',
    access: 'read',
    params: IntegrationParams,
    data: ScimStateSchema,
    handle: ({ params, ...call }) => readScimState(call, params),
  });

  route('POST /integrations/:id/scim/token', {
    summary: 'Create the token of SCIM',
    description: 'Shown only once. An earlier one works for another 24 hours.',
    access: 'integrations',
    params: IntegrationParams,
    status: 201,
    data: ScimTokenSchema,
    problems: ['sync-not-possible'],
    handle: ({ params, ...call }) => createScimToken(call, params),
  });

  route('POST /integrations/:id/scim/token/revoke', {
    summary: 'Revoke the token of SCIM',
    access: 'integrations',
    params: IntegrationParams,
    returns: NoContent,
    async handle({ params, ...call }) {
      await revokeScimToken(call, params);
      return undefined;
    },
  });

  route('POST /integrations/:id/scim/settings', {
    summary: 'Set which attribute is the HR id',
    access: 'integrations',
    params: IntegrationParams,
    body: ScimSettingsBody,
    data: ScimStateSchema,
    problems: ['sync-not-possible'],
    async handle({ params, body, ...call }) {
      await setHrIdAttribute(call, { ...params, ...body });
      return readScimState(call, params);
    },
  });
});
