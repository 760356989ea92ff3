import { insertAudit } from '../audit.ts';
import { todayIn } from '../clock.ts';
import { type Day, isBefore } from '../domain/calendar.ts';
import { ApiError } from '../errors.ts';
import type { Routes } from '../http/routes.ts';
import { travelTo } from '../lifecycle/time-travel.ts';
import { type Data, TimeTravelBody } from './contract.ts';
import { actorOf, personOf } from './guard.ts';

const maxDays = 400;

function refuse(code: string, detail: string): never {
  throw new ApiError('invalid-body', `/to ${detail}.`, { errors: [{ pointer: '/to', code, detail }] });
}

function assertReachable(today: Day, to: Day): void {
  if (!isBefore(today, to)) refuse('past', `must be later than today, which is ${today} here: time moves forward only`);
  const last = today.add({ days: maxDays });
  if (isBefore(last, to)) refuse('too-far', `must be ${last} at the latest, ${maxDays} days from today`);
}

/** Moves the whole environment, so it exists on staging alone. */
export const timeTravelRoutes: Routes = (app, { config, streaming, clock, queue }) => {
  if (config.environment !== 'staging') return;
  app.post(
    '/time-travel',
    { config: { portal: 'time-travel' }, schema: { hide: true, body: TimeTravelBody } },
    async (request): Promise<Data<{ today: string }>> => {
      const { companyId, company } = personOf(request);
      const from = todayIn(clock, company.timeZone);
      const to = Temporal.PlainDate.from(request.body.to);
      assertReachable(from, to);
      // Connections on which a statement may take as long as the day of a large company does.
      const { db } = streaming;
      // Nothing is sent until every day is lived, which would be taken for a connection that is dead.
      request.raw.socket.setTimeout(0);
      const detail = { from: from.toString(), to: to.toString() };
      const entry = { actor: actorOf(request), action: 'environment.time-travel', detail, at: clock.now() };
      await db.transaction().execute((tx) => insertAudit(tx, companyId, { ...entry, target: to.toString() }));
      await travelTo(db, { clock, queue }, to, company.timeZone);
      return { data: { today: todayIn(clock, company.timeZone).toString() } };
    },
  );
};
