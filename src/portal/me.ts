import { Type } from 'typebox';
import { todayIn } from '../clock.ts';
import type { Routes } from '../context.ts';
import { environments, roles } from '../domain/enums.ts';
import { abilities, abilityNames } from '../domain/roles.ts';
import { DataOf, Enum, Named, PlainDate, Reference } from '../http/schemas.ts';
import { userOf } from './guard.ts';
import { portalOperation } from './operation.ts';
import { Closed } from './schemas.ts';
import { listMovedCompanies } from './time-travel.ts';

export const MeSchema = Named(
  'Me',
  Closed({
    user: Closed({
      id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      role: Enum(roles),
      abilities: Type.Array(Enum(abilityNames), { description: 'What the role allows in addition to reading.' }),
    }),
    company: Closed({
      id: Type.Integer(),
      name: Type.String(),
      locale: Type.String(),
      currency: Type.String(),
      timeZone: Type.String(),
    }),
    environment: Enum(environments),
    timeTravel: Type.Boolean({
      description: 'Whether the portal may move the clock of this environment. The role must allow it as well.',
    }),
    today: PlainDate("Today's date for the company, by the environment's clock."),
    apiUrl: Type.String({ description: 'Base URL of the public API, including /v1.' }),
  }),
);

export const meRoutes: Routes = (app, { config, db, clock, links }) => {
  app.get(
    '/me',
    portalOperation({
      id: 'getMe',
      summary: 'Get the signed-in user',
      access: 'read',
      response: { 200: DataOf(Reference(MeSchema)) },
    }),
    async (request) => {
      const { id, name, email, role, company } = userOf(request);
      return {
        data: {
          user: { id, name, email, role, abilities: [...abilities[role]] },
          company,
          environment: config.environment,
          timeTravel: (await listMovedCompanies(db, config)) !== undefined,
          today: todayIn(clock, company.timeZone).toString(),
          apiUrl: links.api,
        },
      };
    },
  );
};
