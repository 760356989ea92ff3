import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { operator } from '../../src/domain/actor.ts';
import type { CompanyContext, EngineContext } from '../../src/features/context.ts';
import { catchUp, type DailyRunResult } from '../../src/features/daily-run/run.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestResponse } from './app.ts';
import { type MovableClock, movableClock } from './clock.ts';
import { prepare } from './prepare.ts';
import { makePusher, type Pusher } from './sync.ts';

/** A service with a worker and a clock that the test moves. */
export interface Fixture {
  app: TestApp;
  clock: MovableClock;
  close(): Promise<void>;
}

export async function startFixture(
  day: string,
  worker: TestAppOptions['worker'] = true,
  env: TestAppOptions['env'] = {},
): Promise<Fixture> {
  const clock = movableClock(day);
  const app = await startTestApp({ worker, clock, env });
  return { app, clock, close: app.close };
}

/** Starts such a service for the tests of a suite or file. */
export const useFixture = (...words: Parameters<typeof startFixture>): Fixture =>
  prepare(
    () => startFixture(...words),
    (fixture) => fixture.close(),
  );

/** Returns the context in which the operator changes a company. */
export const operatorContext = ({ app, clock }: Fixture, { companyId }: Pusher) =>
  ({
    ...{ db: app.serviceDb as Db, companyId, clock, employeeMails: app.deps.employeeMails },
    by: { actor: operator, name: 'Operator', at: clock.now() },
    write: (change: Parameters<CompanyContext['write']>[0]) =>
      writeCompany(app.serviceDb, companyId, (tx) => change(tx, ['admin'])),
  }) as unknown as CompanyContext & EngineContext;

/** A company that joined today, with functions to process its days. */
export interface TestCompany extends Pusher {
  /** Moves the clock to the day and processes every day up to it. */
  runTo(day: string): Promise<DailyRunResult>;
  tickets(): Promise<string[]>;
  /** Returns the charges of a month as `type gross (company/employee)`, in the order of their ids. */
  charges(period: string): Promise<string[]>;
  items(period: string): Promise<TestResponse['body'][]>;
}

export async function joinCompany(
  { app, clock }: Fixture,
  settings: Record<string, unknown> = {},
): Promise<TestCompany> {
  const pusher = await makePusher(app);
  const { companyId } = pusher;
  const today = clock.now().toZonedDateTimeISO('Europe/Berlin').toPlainDate().toString();
  await app.db
    .updateTable('companies')
    .set({ processed_through: today, created_at: clock.now().toString(), ...settings })
    .where('id', '=', companyId)
    .execute();
  const items = async (period: string) => {
    const types = [
      'ticket-charge',
      'service-charge',
      'hr-integration-charge',
      'hr-payroll-integration-charge',
      'api-charge',
    ];
    const found: TestResponse['body'][] = [];
    // Request one after another: the number of concurrent exports per key is limited.
    for (const type of types) {
      const { status, body } = await pusher.get(`/billing/items/${period}/${type}`);
      assert.equal(status, 200);
      found.push(...body.data);
    }
    return found;
  };
  return {
    ...pusher,
    items,
    async runTo(day) {
      clock.moveTo(day);
      return catchUp(app.serviceDb, app.deps, companyId);
    },
    async tickets() {
      const { rows } = await sql<{ ticket: string }>`
        select e.email || ' ' || to_char(t.month, 'YYYY-MM') as ticket from tickets t
        join employees e on e.company_id = t.company_id and e.id = t.employee_id
        where t.company_id = ${companyId} order by t.month, e.id`.execute(app.db);
      return rows.map((row) => row.ticket);
    },
    async charges(period) {
      return (await items(period)).map(({ charge, billing }) => {
        const { plan } = charge;
        const shares = plan === null ? '' : ` (${plan.companyAmount.value}/${plan.employeeAmount.value})`;
        return `${charge.type} ${billing.total.value} + ${billing.tax.value} = ${billing.overall.value}${shares}`;
      });
    },
  };
}

/** Returns the visible employee. Throws if there are several. */
export async function onlyEmployee(company: Pusher): Promise<TestResponse['body']> {
  const [one, ...others] = await company.employees();
  assert.equal(others.length, 0);
  return one;
}
