import { Type } from 'typebox';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { Reference } from '../../platform/http/schemas.ts';
import type { Integration } from '../companies/companies.ts';
import { portalRoutes } from '../portal-route.ts';
import {
  createIntegration,
  getIntegration,
  type HrIntegrationRow,
  listIntegrations,
  renameIntegration,
  setIntegration,
} from './change-integration.ts';
import {
  HrIntegrationSchema,
  IntegrationParams,
  IntegrationStatusBody,
  NewIntegrationBody,
  RenameBody,
} from './contract.ts';
import { presentHrIntegration } from './present.ts';

/** Returns the integration that a route is about. */
export const targetOf = (call: { companyId: CompanyId; params: { id: number } }): Integration => ({
  companyId: call.companyId,
  hrIntegrationId: call.params.id,
});

const data = Reference(HrIntegrationSchema);

export const integrationRoutes = portalRoutes((route, { db, links }) => {
  const present = (row: HrIntegrationRow) => presentHrIntegration(row, links);

  route('GET /integrations', {
    summary: 'List integrations',
    access: 'read',
    data: Type.Array(data),
    handle: async ({ companyId }) => (await listIntegrations(db, companyId)).map(present),
  });

  route('POST /integrations', {
    summary: 'Create an integration',
    access: 'integrations',
    body: NewIntegrationBody,
    status: 201,
    data,
    async handle(call) {
      const { name, type } = call.body;
      return present(await createIntegration(call, { name: name.trim(), type }));
    },
  });

  route('GET /integrations/:id', {
    summary: 'Get an integration',
    access: 'read',
    params: IntegrationParams,
    data,
    handle: async ({ companyId, params }) => present(await getIntegration(db, companyId, params.id)),
  });

  route('POST /integrations/:id/status', {
    summary: 'Enable or disable an integration',
    access: 'integrations',
    params: IntegrationParams,
    body: IntegrationStatusBody,
    data,
    handle: async (call) => present(await setIntegration(call, { ...call.params, ...call.body })),
  });

  route('POST /integrations/:id/name', {
    summary: 'Rename an integration',
    access: 'integrations',
    params: IntegrationParams,
    body: RenameBody,
    data,
    handle: async (call) => present(await renameIntegration(call, { ...call.params, name: call.body.name.trim() })),
  });
});
