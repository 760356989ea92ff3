import { isBefore } from '../../domain/calendar.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/database.ts';
import { ApiError, invalidValue } from '../../platform/http/errors.ts';
import { portalRoutes } from '../portal-route.ts';
import { type TimeTravel, TimeTravelBody, TimeTravelSchema, TravelledSchema } from './contract.ts';
import { listMovedCompanies, travel } from './time-travel.ts';

const maxDays = 400;

async function getMovedCompanies(db: Db, config: Config): Promise<TimeTravel['companies']> {
  const companies = await listMovedCompanies(db, config);
  if (companies !== undefined) return companies;
  const detail = 'Time travel moves every company of this environment, so only its operator may use it.';
  throw new ApiError('time-travel-not-allowed', detail);
}

function assertConfirmed(companies: TimeTravel['companies'], confirmed: number): void {
  if (companies.length === confirmed) return;
  const message = createMessage('companies-confirmation', { companies: companies.length, confirmed });
  throw new ApiError('confirmation-mismatch', message);
}

/** Registers the routes on staging only, because time travel moves the whole environment. */
export const timeTravelRoutes = portalRoutes(
  (route, { config, db, streaming, slots, clock, queue, notices, employeeMails }) => {
    if (config.environment !== 'staging') return;
    route('GET /time-travel', {
      summary: 'List the companies that time travel moves',
      description: 'Exists on staging only.',
      access: 'time-travel',
      data: TimeTravelSchema,
      problems: ['route-not-found', 'time-travel-not-allowed'],
      handle: async () => ({ companies: await getMovedCompanies(db, config) }),
    });

    route('POST /time-travel', {
      summary: 'Move the clock of the environment',
      description: 'Exists on staging only. Responds when every day is processed. At most 400 days at once.',
      access: 'time-travel',
      body: TimeTravelBody,
      data: TravelledSchema,
      problems: ['route-not-found', 'time-travel-not-allowed', 'confirmation-mismatch'],
      async handle({ request, user, body, by }) {
        const { companyId, company } = user;
        const { timeZone } = company;
        const to = Temporal.PlainDate.from(body.to);
        const last = todayIn(clock, timeZone).add({ days: maxDays });
        if (isBefore(last, to)) {
          throw invalidValue('/to', 'too-far', createMessage('value-too-far', { last, days: maxDays }));
        }
        assertConfirmed(await getMovedCompanies(db, config), body.confirm);
        // No data is sent until every day is processed. A socket timeout would treat the silence as a dead connection.
        request.raw.socket.setTimeout(0);
        const traveller = { companyId, actor: by.actor };
        // These connections allow a statement to take as long as the daily run of a large company.
        const engine = { config, db: streaming.db, clock, queue, notices, employeeMails };
        await slots.longRunning.run({ companyId }, () => travel(engine, { to, timeZone, traveller }));
        return { today: todayIn(clock, timeZone).toString() };
      },
    });
  },
);
