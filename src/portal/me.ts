import { todayIn } from '../clock.ts';
import type { Routes } from '../context.ts';
import type { Data, Me } from './contract.ts';
import { userOf } from './guard.ts';
import { listMovedCompanies } from './time-travel.ts';

export const meRoutes: Routes = (app, { config, db, clock, links }) => {
  app.get('/me', { config: { portal: 'read' }, schema: { hide: true } }, async (request): Promise<Data<Me>> => {
    const { id, name, email, role, company } = userOf(request);
    return {
      data: {
        user: { id, name, email, role },
        company,
        environment: config.environment,
        timeTravel: (await listMovedCompanies(db, config)) !== undefined,
        today: todayIn(clock, company.timeZone).toString(),
        apiUrl: links.api,
      },
    };
  });
};
