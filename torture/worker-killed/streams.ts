import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { Day } from '../../src/domain/calendar.ts';
import type { RosterEntry } from '../../src/features/roster/rules/entry.ts';
import { createRandom, type Random } from '../../src/operator/demo/random.ts';
import { clockRefreshMillis } from '../../src/platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { comingFirst, moveEnvironmentTo } from '../../test/support/environment.ts';
import { until } from '../../test/support/until.ts';
import type { Fixture } from '../support/fixture.ts';
import { RosterPusher, RosterStream } from '../support/roster-pusher.ts';
import { makeTestCompany, withoutGuard } from '../support/test-company.ts';

interface Member {
  entry: RosterEntry;
  /** Months are counted from the first month, which is 0. */
  startsIn: number;
  endsBefore: number;
}

const never = Infinity;
/** The net, tax and gross charge for a ticket of €63.00 that the company pays: 5 % discount, 7 % tax included. */
const ticketCharge = '5593 392 5985';
const perTicket = 150;

/** Models all employees. Dates are far from any cut-off, so that the expected state follows from them alone. */
class Workforce {
  readonly #random: Random;
  readonly #firstMonth: Day;
  readonly #members: Member[];

  constructor(random: Random, firstMonth: Day, size: number) {
    this.#random = random;
    this.#firstMonth = firstMonth;
    this.#members = Array.from({ length: size }, (_, index) => {
      const startsIn = random.int(1, 3);
      const names = { firstName: 'Anna', lastName: `Muster${index}`, email: `w${index}@example.com` };
      const startDate = this.monthAt(startsIn).toString();
      return { entry: { hrId: `W${index}`, ...names, autoSyncEmployee: true, startDate }, startsIn, endsBefore: never };
    });
  }

  monthAt(number: number): Day {
    return this.#firstMonth.add({ months: number });
  }

  /** Returns the roster pushed in a month. One in a hundred active subscribers leaves at the end of the next month. */
  next(month: number): RosterEntry[] {
    for (const member of this.#members) {
      const isActive = member.startsIn <= month && member.endsBefore === never;
      if (!isActive || !this.#random.chance(0.01)) continue;
      member.endsBefore = month + 2;
      const lastDay = this.monthAt(month + 2).subtract({ days: 1 });
      member.entry = { ...member.entry, terminationDate: lastDay.toString() };
    }
    return this.#members.map(({ entry }) => entry);
  }

  expectedIn(month: number): string[] {
    const lines = this.#members.flatMap((member) => this.#expectedOf(member, month));
    for (let number = 1; number <= month; number++) {
      const active = this.#members.filter(({ startsIn, endsBefore }) => startsIn <= number && number < endsBefore);
      const fees = { 'service-charge': perTicket * active.length };
      for (const [chargeType, net] of Object.entries(fees)) {
        const tax = Math.round((net * 19) / 100);
        if (net > 0) lines.push(`charge ${this.monthAt(number)} ${chargeType} - ${net} ${tax} ${net + tax}`);
      }
    }
    return lines;
  }

  #expectedOf({ entry: { hrId }, startsIn, endsBefore }: Member, month: number): string[] {
    const lines = [`document ${hrId} subscription-confirmation ${this.monthAt(startsIn)}`];
    const changes: [cause: string, to: string, isDue: boolean][] = [
      ['subscribe', 'scheduled', true],
      ['calendar', 'active', startsIn <= month],
      ['termination', 'scheduled-cancellation', endsBefore !== never],
      ['calendar', 'cancelled', endsBefore <= month],
    ];
    let status = 'no-subscription';
    for (const [cause, to, isDue] of changes) {
      if (!isDue) continue;
      lines.push(`subscription ${hrId} ${cause} ${status} ${to}`);
      status = to;
    }
    lines.push(`subscription ${hrId} ${status}`);
    if (endsBefore !== never) lines.push(`document ${hrId} cancellation-confirmation ${this.monthAt(endsBefore)}`);
    for (let number = startsIn; number <= Math.min(month, endsBefore - 1); number++) {
      const first = this.monthAt(number);
      lines.push(`ticket ${hrId} ${first}`, `document ${hrId} ticket-confirmation ${first}`);
      lines.push(`charge ${first} ticket-charge ${hrId} ${ticketCharge}`);
    }
    return lines;
  }
}

/** Returns the rows of the company, and what must not exist. The first word of a line says what it is. */
export async function listRows(db: Db, companyId: CompanyId): Promise<string[]> {
  const hrId = sql`(select l.hr_id from hr_links l where ${ofCompany(companyId, 'l')} and l.employee_id = t.employee_id)`;
  const ofIt = ofCompany(companyId, 't');
  const { rows } = await sql<{ line: string }>`
    with stored as (
      select 'billing' as kind, to_jsonb(t) as sum from billing_totals t
      union all select 'documents', to_jsonb(c) from document_counts c where c.documents > 0
    ), computed as (
      select 'billing' as kind, to_jsonb(b) as sum from (
        select company_id, period, charge_type, count(*) as items, sum(net_cents) as net_cents,
          sum(tax_cents) as tax_cents, sum(gross_cents) as gross_cents from billing_items group by 1, 2, 3) b
      union all select 'documents', to_jsonb(d) from (
        select company_id, count(*) as documents from documents where removed_at is null group by 1) d
    )
    select concat_ws(' ', 'subscription', l.hr_id, t.subscription_status) as line
    from employees t left join hr_links l on ${ofCompany(companyId, 'l')} and l.employee_id = t.id
    where ${ofIt} and t.removed_at is null
    union all select concat_ws(' ', 'subscription', ${hrId}, t.cause, t.from_status, t.to_status)
    from subscription_changes t where ${ofIt}
    union all select concat_ws(' ', 'ticket', ${hrId}, t.month) from tickets t where ${ofIt}
    union all select concat_ws(' ', 'charge', t.period, t.charge_type, coalesce(${hrId}, '-'), t.net_cents, t.tax_cents,
      t.gross_cents) from billing_items t where ${ofIt}
    union all select concat_ws(' ', 'document', ${hrId}, t.kind, t.about) from documents t
    where ${ofIt} and t.sha256 is not null and t.removed_at is null
    union all select concat_ws(' ', 'charge', 'of', b.company_id, b.period, b.charge_type) from billing_items b
    where not ${ofCompany(companyId, 'b')}
    union all select concat_ws(' ', 'job', name, id) from queue.job where state = 'failed'
    union all select concat_ws(' ', 'day', a.company_id, a.target) from audit_log a where a.action = 'daily-run.finish'
    group by a.company_id, a.target having count(*) > 1
    union all select concat_ws(' ', 'total', s.kind, s.sum) from (
      (table stored except table computed) union all (table computed except table stored)) s`.execute(db);
  return rows.map(({ line }) => line);
}

export function findDifferences(expected: string[], found: string[]): string[] {
  const balance = new Map<string, number>();
  for (const line of expected) balance.set(line, (balance.get(line) ?? 0) + 1);
  for (const line of found) balance.set(line, (balance.get(line) ?? 0) - 1);
  return [...balance].flatMap(([line, difference]) => Array<string>(Math.abs(difference)).fill(line));
}

export interface StreamPlan {
  /** The number of entries of the large rosters. Their syncs take long enough to be interrupted. */
  largeSize: number;
  /** One company per number, with at most so many unfinished syncs. The job of a later one also finds the earlier ones. */
  pending: number[];
  subscribers: number;
}

const limitMs = 180_000;
/** Longer than a worker's death may delay a day. Workers have to detect the death themselves. */
const checkAgainMs = 40_000;

/** Starts the environment's clock. It only moves from the first of one month to the first of the next. */
async function startClock(db: Db, connectionString: string, firstMonth: Day) {
  const boss = new PgBoss({ connectionString, schema: 'queue', max: 1, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await moveEnvironmentTo(db, firstMonth);
  let month = 0;
  const today = () => firstMonth.add({ months: month });
  return {
    month: () => month,
    async moveOn() {
      month += 1;
      await moveEnvironmentTo(db, today());
      // After this time every worker has read the clock. A worker that was too busy gets another job below.
      await sleep(2 * clockRefreshMillis);
      await boss.send('schedule-daily-runs', {});
    },
    async untilProcessed(...companyIds: CompanyId[]) {
      let checkAgainAt = Date.now() + checkAgainMs;
      const isProcessed = async () => {
        if (Date.now() > checkAgainAt) {
          checkAgainAt += checkAgainMs;
          await boss.send('schedule-daily-runs', {});
        }
        const { rows } = await sql`
          select from companies c
          where c.id = any(${companyIds}) and c.processed_through < ${today().toString()}::date`.execute(db);
        return rows.length === 0;
      };
      await until(`${today()} is processed`, isProcessed, limitMs);
    },
    stop: () => boss.stop({ graceful: false }),
  };
}

/** Nobody is erased however far the clock moves, and nobody signs: so many documents would take longer than all else. */
const common = { ...withoutGuard, retention_days: 36_500 } as const;
const settings = { ...common, plan_type: 'split-pay-plan', contribution_cents: 2_000 } as const;
const paidByCompany = { ...common, plan_type: 'fully-subsidized-plan', contribution_cents: 0 } as const;

export async function makePopulation({ db, urls, startApi }: Fixture, plan: StreamPlan, seed: number) {
  const firstMonth = comingFirst();
  const { url } = await startApi();
  const random = createRandom(seed + 1);
  const workforce = new Workforce(random, firstMonth, plan.subscribers);
  const others: RosterPusher[] = [];
  for (const _ of plan.pending) {
    const rosters = new RosterStream(createRandom(seed + 2 + others.length));
    others.push(new RosterPusher(await makeTestCompany(db, settings), url, rosters));
  }
  const population = {
    seed,
    db,
    random,
    clock: await startClock(db, urls.adminUrl, firstMonth),
    /** A company whose months pass. Workers process its days, issue and bill its tickets and write its documents. */
    subscribers: new RosterPusher(await makeTestCompany(db, paidByCompany), url, workforce),
    workforce,
    /** The rosters of these companies have the same effect on every day. */
    others,
  };
  await db.updateTable('companies').set({ processed_through: firstMonth.toString() }).execute();
  return population;
}

export type Population = Awaited<ReturnType<typeof makePopulation>>;

async function push(pusher: RosterPusher, number: number, random: Random): Promise<void> {
  const syncId = await pusher.push(number);
  if (random.chance(0.3)) await pusher.deliver(syncId);
}

async function processMonths({ db, random, clock, subscribers, workforce }: Population, over: AbortSignal) {
  const { companyId } = subscribers.company;
  const untilWrittenBefore = async (month: number) => {
    const before = workforce.monthAt(month).toString();
    // Counts the confirmations of tickets before this month, and all other documents, that are not stored.
    const isWritten = async () => {
      const { rows } = await sql<{ unwritten: number }>`
        select (select count(*) from documents d where ${ofCompany(companyId, 'd')} and d.content is not null
            and not (d.kind = 'ticket-confirmation' and d.about >= ${before}::date))
          + (select count(*) from tickets t where ${ofCompany(companyId, 't')} and t.month < ${before}::date)
          - (select count(*) from documents d where ${ofCompany(companyId, 'd')} and d.kind = 'ticket-confirmation'
              and d.about < ${before}::date) as unwritten`.execute(db);
      return rows[0]?.unwritten === 0;
    };
    await until('the documents are written', isWritten, limitMs);
  };
  while (clock.month() < 2 || !over.aborted) {
    await push(subscribers, clock.month(), random);
    if (random.chance(0.3)) await subscribers.waitFor(0);
    await clock.moveOn();
    await subscribers.waitFor(0);
    await clock.untilProcessed(companyId);
    await untilWrittenBefore(clock.month());
  }
  await untilWrittenBefore(clock.month() + 1);
}

const smallSize = 150;

export async function runStreams(population: Population, plan: StreamPlan, kill: () => Promise<number>) {
  const { seed, clock, subscribers, others } = population;
  const all = [subscribers, ...others];
  // Every employee is in the database before the first month starts.
  await subscribers.push(clock.month());
  for (const pusher of others) await pusher.push(smallSize);
  for (const pusher of all) await pusher.waitFor(0);
  const over = new AbortController();
  const kills = kill().finally(() => over.abort());
  const pushRosters = async (pusher: RosterPusher, index: number) => {
    const random = createRandom(seed * 7 + index);
    for (let number = 0; number < 2 || !over.signal.aborted; number++) {
      await push(pusher, number % 3 === 0 ? plan.largeSize : random.int(smallSize, 4 * smallSize), random);
      await pusher.waitFor(plan.pending[index] ?? 0);
    }
    await pusher.waitFor(0);
  };
  const streams = [processMonths(population, over.signal), ...others.map(pushRosters)];
  const [, ...results] = await Promise.allSettled([kills, ...streams]);
  const processed = clock.untilProcessed(...all.map(({ company }) => company.companyId));
  results.push(...(await Promise.allSettled([processed])));
  const halted = results.flatMap((result) => (result.status === 'rejected' ? String(result.reason) : []));
  return { killed: await kills, halted };
}
