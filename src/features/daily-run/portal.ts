import { type Day, isBefore } from '../../domain/calendar.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, invalidValue } from '../../platform/http/errors.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, Reference } from '../../platform/http/schemas.ts';
import { actorOf, userOf } from '../accounts/guard.ts';
import { insertAudit } from '../activity/record.ts';
import { listCompanies } from '../companies/companies.ts';
import type { Routes } from '../context.ts';
import { type TimeTravel, TimeTravelBody, TimeTravelSchema, TravelledSchema } from './contract.ts';
import { travelTo } from './time-travel.ts';

const maxDays = 400;

function assertReachable(today: Day, to: Day): void {
  if (!isBefore(today, to)) throw invalidValue('/to', 'past', createMessage('value-later-than-today', { today }));
  const last = today.add({ days: maxDays });
  if (isBefore(last, to)) throw invalidValue('/to', 'too-far', createMessage('value-too-far', { last, days: maxDays }));
}

/**
 * Returns the companies that time travel moves, or undefined if only the operator may move them and the portal may not.
 */
export async function listMovedCompanies(
  db: Db,
  { environment, timeTravel }: Pick<Config, 'environment' | 'timeTravel'>,
): Promise<TimeTravel['companies'] | undefined> {
  if (environment !== 'staging' || timeTravel === 'operator') return undefined;
  const companies = await listCompanies(db);
  return timeTravel === 'portal' || companies.length === 1 ? companies : undefined;
}

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
export const timeTravelRoutes: Routes = (app, { config, db, streaming, slots, clock, queue, notices }) => {
  if (config.environment !== 'staging') return;
  app.get(
    '/time-travel',
    portalOperation({
      id: 'getTimeTravel',
      summary: 'List the companies that time travel moves',
      description: 'Exists on staging only.',
      access: 'time-travel',
      response: { 200: DataOf(Reference(TimeTravelSchema)) },
      problems: ['route-not-found', 'time-travel-not-allowed'],
    }),
    async () => ({ data: { companies: await getMovedCompanies(db, config) } }),
  );

  app.post(
    '/time-travel',
    portalOperation({
      id: 'travel',
      summary: 'Move the clock of the environment',
      description: 'Exists on staging only. Responds when every day is processed. At most 400 days at once.',
      access: 'time-travel',
      body: TimeTravelBody,
      response: { 200: DataOf(TravelledSchema) },
      problems: ['route-not-found', 'time-travel-not-allowed', 'confirmation-mismatch'],
    }),
    async (request) => {
      const { companyId, company } = userOf(request);
      const from = todayIn(clock, company.timeZone);
      const to = Temporal.PlainDate.from(request.body.to);
      assertReachable(from, to);
      assertConfirmed(await getMovedCompanies(db, config), request.body.confirm);
      // These connections allow a statement to take as long as the daily run of a large company.
      const { db: longRunning } = streaming;
      // No data is sent until every day is processed. A socket timeout would treat the silence as a dead connection.
      request.raw.socket.setTimeout(0);
      const detail = { from: from.toString(), to: to.toString() };
      const entry = { actor: actorOf(request), action: 'environment.time-travel', detail, at: clock.now() };
      await slots.longRunning.run({ companyId }, async () => {
        await writeCompany(longRunning, companyId, (tx) =>
          insertAudit(tx, companyId, { ...entry, target: to.toString() }),
        );
        await travelTo(longRunning, { clock, queue, notices }, to, company.timeZone);
      });
      return { data: { today: todayIn(clock, company.timeZone).toString() } };
    },
  );
};
