import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { makeSubscribers } from '../../harness/subscribers.ts';
import type { Day } from '../../src/domain/calendar.ts';
import type { startFakeIssuer } from '../../src/features/issuers/fake/fake-issuer.ts';
import type { Random } from '../../src/operator/demo/random.ts';
import { clockRefreshMillis } from '../../src/platform/clock/clock.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { type Commands, commandsIn } from '../../test/support/commands.ts';
import { comingFirst, moveEnvironmentTo } from '../../test/support/environment.ts';
import { anEmployee, makeEmployees } from '../../test/support/factories.ts';
import { until } from '../../test/support/until.ts';
import { deliveringWorker } from '../../test/support/webhooks.ts';
import type { Fixture } from '../support/fixture.ts';

export type FakeIssuer = Awaited<ReturnType<typeof startFakeIssuer>>;

/** A company, and in which months its employees must have a ticket: from the first number to the one before the second. */
interface Member {
  companyId: CompanyId;
  /** Of its account at the issuer. */
  token: string;
  months: Map<number, [from: number, before: number]>;
}

const never = Infinity;
/** The first of these months has begun when the issuer is connected. The two others are ordered ahead. */
export const monthCount = 3;

/** Commands and workers share the secret that encrypts the token of the issuer. */
export const commandsOf = ({ urls, folder }: Fixture): Commands =>
  commandsIn({ ...deliveringWorker, DATABASE_URL: urls.url, DATA_DIR: folder, DEMO: 'off' });

/** The months of companies whose tickets the fake issues, and the environment's clock. */
export async function openMonths(
  { db, urls }: Fixture,
  random: Random,
  size: { tokens: readonly string[]; employees: number },
) {
  const first = comingFirst();
  const monthAt = (number: number): Day => first.add({ months: number });
  const joinedOn = first.add({ days: 9 });
  const members: Member[] = [];
  for (const token of size.tokens) {
    const companyId = await makeSubscribers(db, {
      count: size.employees,
      startOn: first,
      status: 'active',
      processedThrough: joinedOn,
    });
    await sql`update companies set retention_days = 36500 where id = ${companyId}`.execute(db);
    const { rows } = await sql<{ id: number }>`select id from employees where company_id = ${companyId}`.execute(db);
    members.push({ companyId, token, months: new Map(rows.map(({ id }) => [id, [0, never]])) });
  }
  await moveEnvironmentTo(db, joinedOn);
  const boss = new PgBoss({
    connectionString: urls.adminUrl,
    schema: 'queue',
    max: 1,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  await boss.start();
  const schedule = () => boss.send('schedule-pulls', {});

  /** Lets ten minutes pass at a time until the condition holds. */
  async function passUntil(what: string, condition: () => boolean | Promise<boolean>) {
    let movedAt = Date.now();
    await until(what, async () => {
      if (await condition()) return true;
      if (Date.now() - movedAt > 1_500) {
        movedAt = Date.now();
        await sql`update environment set clock_ahead_seconds = clock_ahead_seconds + 600`.execute(db);
        await schedule();
      }
      await sleep(50);
      return false;
    });
  }

  return {
    members,
    monthAt,
    schedule,
    /** Returns who must have a ticket of a month, as `company employee`. */
    expectedIn: (month: number) =>
      members.flatMap(({ companyId, months }) =>
        [...months].flatMap(([id, [from, before]]) => (from <= month && month < before ? `${companyId} ${id}` : [])),
      ),
    /** Moves to noon of a day and waits until its daily runs are done. */
    async moveTo(day: Day) {
      await moveEnvironmentTo(db, day);
      await sleep(2 * clockRefreshMillis);
      let sentAt = 0;
      await until(`${day} is processed`, async () => {
        if (Date.now() - sentAt > 5_000) {
          sentAt = Date.now();
          await boss.send('schedule-daily-runs', {});
        }
        const { rows } = await sql`
          select from companies c where c.id = any(${members.map(({ companyId }) => companyId)})
            and c.processed_through < ${day.toString()}::date`.execute(db);
        return rows.length === 0;
      });
      await schedule();
    },
    passUntil,
    /** Lets time pass until nothing waits for the issuer. */
    settle: () =>
      passUntil('the orders are answered', async () => {
        const { rows } = await sql<{ open: number }>`
          select (select count(*) from ticket_orders o where o.next_attempt_at is not null)
            + (select count(*) from issuer_settings s where s.reconcile_due is not null or s.documents_due is not null)
            as open`.execute(db);
        return rows[0]?.open === 0;
      }),
    /** Some leave with the end of the present month. */
    async cancel(month: number, perCompany: number) {
      for (const { companyId, months } of members) {
        const leaving = random.shuffle([...months.keys()].filter((id) => months.get(id)?.[1] === never));
        const ids = leaving.slice(0, perCompany);
        for (const id of ids) months.set(id, [months.get(id)?.[0] ?? 0, month + 1]);
        const on = monthAt(month + 1).toString();
        await sql`
          update employees set subscription_status = 'scheduled-cancellation', cancelled_on = ${on}::date,
            due_on = ${on}::date, next_ticket_on = null
          where company_id = ${companyId} and id = any(${ids}::bigint[])`.execute(db);
      }
    },
    /** Some join with the next month, after its cut-off. */
    async join(month: number, perCompany: number) {
      const startOn = monthAt(month + 1).toString();
      for (const { companyId, months } of members) {
        const fields = {
          subscription_status: 'scheduled',
          start_on: startOn,
          next_ticket_on: startOn,
          due_on: startOn,
        };
        const joining = Array.from({ length: perCompany }, () => anEmployee(fields as object));
        for (const id of await makeEmployees(db, companyId, joining)) months.set(id, [month + 1, never]);
      }
    },
    stop: () => boss.stop({ graceful: false }),
  };
}

export type Months = Awaited<ReturnType<typeof openMonths>>;

/** Orders tickets again that have failed, until all of the month are there, as HR would. Returns how many. */
export async function replaceFailed(db: Db, { members, monthAt, settle }: Months, commands: Commands, month: number) {
  let replaced = 0;
  const text = monthAt(month).toString();
  for (let round = 0; round < 10; round++) {
    const { rows } = await sql<{ companyId: number; employeeId: number }>`
      select o.company_id as "companyId", o.employee_id as "employeeId" from ticket_orders o
      where o.company_id = any(${members.map(({ companyId }) => companyId)}) and o.month = ${text}::date
        and o.state = 'failed'`.execute(db);
    if (rows.length === 0) return replaced;
    for (const { companyId, employeeId } of rows)
      await replace(commands, { companyId, employeeId, month: text }, 'wrong');
    replaced += rows.length;
    await settle();
  }
  return replaced;
}

interface Ticket {
  companyId: number;
  employeeId: number;
  month: string;
}

export const replace = (commands: Commands, { companyId, employeeId, month }: Ticket, reason: string) =>
  commands.succeed(
    ...['ticket', 'replace', '--company', String(companyId), '--employee', String(employeeId)],
    ...['--month', month.slice(0, 7), '--reason', reason],
  );
