import { viewFor } from '../../platform/http/view.ts';
import { portalRoutes } from '../portal-route.ts';
import { ForecastBody, ForecastSchema } from './contract.ts';
import { forecast } from './forecast.ts';

export const forecastRoutes = portalRoutes((route, { streaming, slots, clock, links }) => {
  route('POST /billing/forecast', {
    summary: 'Forecast the costs of the coming months',
    description: 'Changes nothing.',
    access: 'read',
    body: ForecastBody,
    data: ForecastSchema,
    handle: ({ companyId, user, body }) =>
      slots.longRunning.run({ companyId, name: user.id }, () =>
        forecast({ db: streaming.db, clock, companyId }, body, viewFor(user, links)),
      ),
  });
});
