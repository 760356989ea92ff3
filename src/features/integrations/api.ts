import { setVersion } from '../../platform/http/kept-pages.ts';
import { operation, pageResponse, recordResponse } from '../../platform/http/operation.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import { getIntegration } from './change-integration.ts';
import { HrIntegrationSchema, HrIntegrationsQuery, hrIntegrationExample } from './contract.ts';
import { presentHrIntegration } from './present.ts';
import { listHrIntegrations } from './store.ts';

export const hrIntegrationRoutes: Routes = (app, { db, links }) => {
  app.get(
    '/hr-integrations',
    operation({
      id: 'listHrIntegrations',
      tag: 'HR integrations',
      summary: 'List HR integrations',
      description: 'All HR and API integrations of the company, with the health of their connections and syncs.',
      permissions: ['view-hr-integrations'],
      isKept: 'with-version',
      querystring: HrIntegrationsQuery,
      response: pageResponse(HrIntegrationSchema, 'integrations', hrIntegrationExample),
    }),
    async function listHrIntegrationsHandler(request) {
      const page = await listHrIntegrations(db, principalOf(request).companyId, request.query);
      setVersion(request, page.version);
      return presentPage(page, request.query, (row) => presentHrIntegration(row, links));
    },
  );

  app.get(
    '/hr-integrations/:id',
    operation({
      id: 'getHrIntegration',
      tag: 'HR integrations',
      summary: 'Get HR integration',
      description: 'One integration by id. Read `lastSyncId` and `lastSyncStatus` here after a sync.',
      permissions: ['view-hr-integrations'],
      isKept: true,
      params: IdParams('integration'),
      response: recordResponse(HrIntegrationSchema, 'integration', hrIntegrationExample),
      problems: ['not-found'],
    }),
    async function getHrIntegrationHandler(request) {
      const row = await getIntegration(db, principalOf(request).companyId, request.params.id);
      return { data: presentHrIntegration(row, links) };
    },
  );
};
