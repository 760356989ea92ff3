import { operation } from '../../platform/http/operation.ts';
import { DataOf, Reference } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import { usernameOf } from '../keys/credentials.ts';
import { ForecastBody, ForecastSchema, forecastExample } from './contract.ts';
import { forecast } from './forecast.ts';

export const forecastRoutes: Routes = (app, { streaming, slots, clock, links }) => {
  app.post(
    '/billing/forecast',
    operation({
      id: 'forecastBilling',
      tag: 'Billing',
      summary: 'Forecast billing',
      description:
        'What the next 1 to 24 months will cost by what is known today: tickets, fees, and what payroll deducts. With a `scenario`, the same with other prices, policies, joiners or leavers. Nothing is stored. Fees that follow use are assumed to continue. See the guide "Read a forecast".',
      permissions: ['view-billing'],
      body: ForecastBody,
      validatesBody: true,
      response: {
        schema: DataOf(Reference(ForecastSchema)),
        description: 'The forecast.',
        example: { data: forecastExample },
      },
      problems: ['invalid-body', 'malformed-body', 'body-too-large', 'unsupported-media-type', 'request-timeout'],
    }),
    async function forecastBillingHandler(request) {
      const caller = principalOf(request);
      const { companyId } = caller;
      const body = request.body as ForecastBody;
      const data = await slots.longRunning.run({ companyId, name: usernameOf(caller) }, () =>
        forecast({ db: streaming.db, clock, companyId }, body, viewFor(caller, links)),
      );
      return { data };
    },
  );
};
