import { todayIn } from '../clock.ts';
import type { Routes } from '../http/routes.ts';
import type { Data, Me } from './contract.ts';
import { personOf } from './guard.ts';

export const meRoutes: Routes = (app, { config, clock, links }) => {
  app.get('/me', { config: { portal: 'read' }, schema: { hide: true } }, async (request): Promise<Data<Me>> => {
    const { id, name, email, role, company } = personOf(request);
    return {
      data: {
        person: { id, name, email, role },
        company,
        environment: config.environment,
        today: todayIn(clock, company.timeZone).toString(),
        apiUrl: links.api,
      },
    };
  });
};
