import type { CompanyId } from '../../platform/db/company-scope.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { usernameOf } from '../keys/credentials.ts';
import { portalRoutes } from '../portal-route.ts';
import { type ApiRequest, RequestsPageSchema, RequestsQuery } from './contract.ts';
import { type LoggedRequest, listRequests } from './store.ts';

const presentRequest = (companyId: CompanyId, { keyId, at, us, ...request }: LoggedRequest): ApiRequest => ({
  ...request,
  at: presentTimestamp(Temporal.Instant.fromEpochMilliseconds(at).toString()),
  key: usernameOf({ companyId, keyId }),
  ms: Math.round(us / 100) / 10,
});

export const requestRoutes = portalRoutes((route, { db }) => {
  route('GET /requests', {
    summary: 'List the API requests of the last 7 days',
    description: 'Newest first. A request appears about a second after its response.',
    access: 'keys',
    query: RequestsQuery,
    data: RequestsPageSchema,
    async handle({ user, query }) {
      const { companyId, company } = user;
      const reader = { companyId, timeZone: company.timeZone, now: Date.now() };
      const { rows, next } = await listRequests(db, reader, query);
      return { data: rows.map((row) => presentRequest(companyId, row)), next };
    },
  });
});
