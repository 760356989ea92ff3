import type { CompanyId } from '../../platform/db/company-scope.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { usernameOf } from '../keys/credentials.ts';
import { type ApiRequest, RequestsPageSchema, RequestsQuery } from './contract.ts';
import { type LoggedRequest, listRequests } from './store.ts';

const presentRequest = (companyId: CompanyId, { keyId, at, us, ...request }: LoggedRequest): ApiRequest => ({
  ...request,
  at: presentTimestamp(Temporal.Instant.fromEpochMilliseconds(at).toString()),
  key: usernameOf({ companyId, keyId }),
  ms: Math.round(us / 100) / 10,
});

export const requestRoutes: Routes = (app, { db }) => {
  app.get(
    '/requests',
    portalOperation({
      summary: 'List the API requests of the last 7 days',
      description: 'Newest first. A request appears about a second after its response.',
      access: 'keys',
      querystring: RequestsQuery,
      response: {
        200: DataOf(RequestsPageSchema),
      },
    }),
    async (request) => {
      const { companyId, company } = userOf(request);
      const reader = { companyId, timeZone: company.timeZone, now: Date.now() };
      const { rows, next } = await listRequests(db, reader, request.query);
      return { data: { data: rows.map((row) => presentRequest(companyId, row)), next } };
    },
  );
};
