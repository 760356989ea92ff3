import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { noAnswerRules } from '../../../src/domain/enums.ts';
import { forecast } from '../../../src/features/forecast/forecast.ts';
import {
  changeByOperator,
  createByOperator,
  listByOperator,
  type TermOptions,
} from '../../../src/features/policies/operate.ts';
import { applyDecision } from '../../../src/features/subscriptions/apply-decision.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { basic } from '../../support/app.ts';
import { joinCompany, operatorContext, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { makeKey } from '../../support/factories.ts';
import { costsBilled, costsForecast } from '../../support/forecasting.ts';
import { before } from '../../support/prepare.ts';
import { seed } from '../../support/seed.ts';
import { anEntry, makePulling } from '../../support/sync.ts';

const companies = 12;

const noTerms: Omit<TermOptions, 'plan'> = {
  ...{ employeeAmount: undefined, employerAmount: undefined, employerPercent: undefined, minimum: undefined },
  ...{ maximum: undefined, waitingMonths: undefined, taxTreatment: undefined },
};
const terms: fc.Arbitrary<TermOptions> = fc.oneof(
  fc.constant({ ...noTerms, plan: 'fully-subsidized-plan' as const }),
  fc.constant({ ...noTerms, plan: 'deferred-plan' as const }),
  fc
    .integer({ min: 0, max: 6500 })
    .map((cents) => ({ ...noTerms, plan: 'split-pay-plan' as const, employeeAmount: cents })),
  fc
    .integer({ min: 0, max: 6500 })
    .map((cents) => ({ ...noTerms, plan: 'split-pay-plan' as const, employerAmount: cents })),
  fc
    .integer({ min: 0, max: 100 })
    .map((share) => ({ ...noTerms, plan: 'split-pay-plan' as const, employerPercent: share })),
);
const days = fc
  .integer({ min: 0, max: 220 })
  .map((after) => Temporal.PlainDate.from('2026-01-20').add({ days: after }).toString());
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const employee = fc.record({
  group: sometimes(fc.constantFrom('Trainees', 'Berlin')),
  startDate: sometimes(days),
  terminationDate: sometimes(days),
  absence: sometimes(fc.tuple(days, fc.integer({ min: 10, max: 90 }))),
  autoSyncEmployee: fc.constantFrom(true, true, true, null),
  accepts: fc.boolean(),
  agrees: fc.boolean(),
  pause: sometimes(fc.tuple(fc.integer({ min: 4, max: 7 }), fc.integer({ min: 1, max: 3 }))),
});
const scenario = fc.record({
  employees: fc.array(employee, { minLength: 5, maxLength: 12 }),
  offer: fc.constantFrom(
    { plan_type: 'fully-subsidized-plan', contribution_cents: 0 },
    { plan_type: 'deferred-plan', contribution_cents: 0 },
    { plan_type: 'split-pay-plan', contribution_cents: 4726 },
    { plan_type: 'split-pay-plan', contribution_cents: 1000 },
  ),
  cutOffDay: fc.constantFrom(1, 10, 31),
  policies: fc.array(terms, { maxLength: 2 }),
  change: sometimes(
    fc.record({ terms, noAnswer: fc.constantFrom(...noAnswerRules), deadline: fc.integer({ min: 1, max: 70 }) }),
  ),
  pulls: fc.boolean(),
  list: sometimes(fc.uniqueArray(fc.integer({ min: 3, max: 8 }), { minLength: 1, maxLength: 3 })),
  day: fc.constantFrom('2026-02-11', '2026-02-28', '2026-03-01'),
  months: fc.integer({ min: 1, max: 6 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

describe('forecasts of random companies', () => {
  const fixture = useFixture('2026-01-15', 'without documents');
  before(async () => {
    for (const [from, cents] of [
      ['2026-04-01', 6600],
      ['2026-07-01', 5900],
    ] as const) {
      await sql`insert into ticket_prices values (${from}, ${cents}, 7, 5, 25)`.execute(fixture.app.db);
    }
    await sql`insert into fee_prices values ('service-charge', '2026-05-01', 175, 19),
      ('hr-integration-charge', '2026-06-01', 80, 19)`.execute(fixture.app.db);
  });

  const contextOf = (company: TestCompany) => operatorContext(fixture, company);

  const decide = ({ companyId }: TestCompany, employeeId: number) =>
    writeCompany(fixture.app.serviceDb, companyId, (tx) =>
      applyDecision(tx, fixture.app.deps, companyId, {
        ...{ employeeId, decision: 'contract-accepted', actor: { type: 'employee', name: null } },
      }),
    );

  const isPending = async ({ companyId }: TestCompany, id: number) => {
    const { rows } = await sql`select from employees where company_id = ${companyId} and id = ${id}
      and contract_status = 'pending' and removed_at is null`.execute(fixture.app.db);
    return rows.length > 0;
  };

  async function begin({ employees, offer, cutOffDay, policies, pulls, list, day, change }: Scenario, index: number) {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture, { ...offer, cut_off_day: cutOffDay });
    const { companyId } = company;
    const { db } = fixture.app;
    if (pulls) await makePulling(db, company);
    const from = Temporal.PlainDate.from('2026-01-01');
    for (const [place, given] of policies.entries()) {
      const groups = ['Trainees', 'Berlin'][place];
      await createByOperator(contextOf(company), { ...given, name: `Policy ${place}`, from, groups });
    }
    if (list) {
      await sql`insert into price_lists values (${`List ${index}`}, now())`.execute(db);
      for (const [place, month] of list.entries()) {
        await sql`insert into price_list_fees values (${`List ${index}`}, 'service-charge',
          ${`2026-0${month}-01`}, ${place * 70})`.execute(db);
      }
      await sql`insert into company_price_lists values (${companyId}, '2026-04-01', ${`List ${index}`})`.execute(db);
    }
    await company.sync(
      'one',
      employees.map(({ group, startDate, terminationDate, absence, autoSyncEmployee }, nth) =>
        anEntry(nth + 1, {
          ...{ group, startDate, terminationDate, autoSyncEmployee },
          ...(absence && {
            absences: [
              {
                startDate: absence[0],
                endDate: Temporal.PlainDate.from(absence[0]).add({ days: absence[1] }).toString(),
                approved: true,
              },
            ],
          }),
        }),
      ),
    );
    const idOf = async (nth: number) => (await company.employee(`E${nth + 1}`))?.id as number | undefined;
    const ids: (number | undefined)[] = [];
    for (let nth = 0; nth < employees.length; nth++) ids.push(await idOf(nth));
    for (const [nth, { accepts }] of employees.entries()) {
      const id = ids[nth];
      if (accepts && id !== undefined && (await isPending(company, id))) await decide(company, id);
    }
    await company.runTo(day);
    const key = await makeKey(db, companyId, ['manage-subscriptions']);
    for (const [nth, { pause }] of employees.entries()) {
      if (pause === null || ids[nth] === undefined) continue;
      const [first, length] = pause;
      const until = Temporal.PlainDate.from(`2026-0${first}-01`).add({ months: length }).toString();
      // Some of them are refused: there is nothing to pause.
      await fixture.app.request(`/employees/${ids[nth]}/subscription-requests`, {
        method: 'POST',
        body: JSON.stringify({ action: 'pause', from: `2026-0${first}-01`, until }),
        headers: { authorization: basic(key), 'content-type': 'application/json' },
      });
    }
    if (change) {
      const context = contextOf(company);
      const [policy] = (await listByOperator(context)).policies;
      const deadline = Temporal.PlainDate.from('2026-03-02').add({ days: change.deadline });
      await changeByOperator(context, {
        ...change.terms,
        ...{ id: policy?.id ?? 0, from: Temporal.PlainDate.from('2026-06-01'), deadline, noAnswer: change.noAnswer },
        apply: true,
      });
      for (const [nth, { agrees }] of employees.entries()) {
        const id = ids[nth];
        if (agrees && id !== undefined && (await isPending(company, id))) await decide(company, id);
      }
    }
    return company;
  }

  const found = { tickets: 0, fees: 0, changes: 0 };

  for (const [index, one] of fc.sample(scenario, { numRuns: companies, seed }).entries()) {
    it(`equal to the cent what the daily runs bill: company ${index + 1}`, async () => {
      const company = await begin(one, index);
      const view = { money: (value: number) => ({ label: '', value }) };
      const { asPlanned } = await forecast(
        { ...fixture, ...company, db: fixture.app.db },
        { months: one.months },
        view,
      );
      const actual: unknown[] = [];
      for (const { period } of asPlanned) {
        await company.runTo(period);
        actual.push(await costsBilled(company, period));
      }
      assert.deepEqual(costsForecast(asPlanned), actual, JSON.stringify(one));
      found.tickets += asPlanned.reduce((sum, { tickets }) => sum + tickets, 0);
      found.fees += asPlanned.filter(({ fees }) => fees.overall.value > 0).length;
      if (one.change) found.changes++;
    });
  }

  it('have many tickets, fees and changes', () => {
    assert.ok(found.tickets > 60 && found.fees > 20 && found.changes > 3, JSON.stringify(found));
  });
});
