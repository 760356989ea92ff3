import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import {
  assignByOperator,
  changeByOperator,
  createByOperator,
  listByOperator,
  type TermOptions,
} from '../../../src/features/policies/operate.ts';
import type { RosterEntry } from '../../../src/features/roster/rules/entry.ts';
import { applyDecision } from '../../../src/features/subscriptions/apply-decision.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { joinCompany, operatorContext, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { entries } from '../../support/sync.ts';

const noTerms: Omit<TermOptions, 'plan'> = {
  ...{ employeeAmount: undefined, employerAmount: undefined, employerPercent: undefined, minimum: undefined },
  ...{ maximum: undefined, waitingMonths: undefined, taxTreatment: undefined },
};
const split = (amount: Partial<typeof noTerms>) => ({
  ...noTerms,
  ...{ plan: 'split-pay-plan' as const },
  ...amount,
});
const full = { ...noTerms, plan: 'fully-subsidized-plan' as const };
const month = (text: string) => Temporal.PlainDate.from(`${text}-01`);
const splitCompany = { plan_type: 'split-pay-plan', contribution_cents: 2000 };

describe('Benefit policies', () => {
  const fixture = useFixture('2026-09-15', 'without documents');
  const contextOf = (company: TestCompany) => operatorContext(fixture, company);
  const decide = (
    { companyId }: TestCompany,
    employeeId: number,
    decision: 'contract-accepted' | 'contract-rejected',
  ) =>
    writeCompany(fixture.app.serviceDb, companyId, (tx) =>
      applyDecision(tx, fixture.app.deps, companyId, { employeeId, decision, actor: { type: 'employee', name: null } }),
    );
  /** Returns the plan and the subscription of each employee, as a short text. */
  const plansOf = async (company: TestCompany) =>
    (await company.employees()).map(({ plan, subscription }) => {
      const { type, contractSigningStatus, employeeContributionAmount } = plan;
      return `${subscription.status} ${type} ${contractSigningStatus} ${employeeContributionAmount?.value ?? null}`;
    });
  const start = async (count: number, settings: Record<string, unknown> = splitCompany) => {
    fixture.clock.moveTo('2026-09-15');
    const company = await joinCompany(fixture, settings);
    await company.sync('first', entries(count, { autoSyncEmployee: true }));
    const ids = (await company.employees()).map(({ id }) => id as number);
    for (const id of ids) if (settings.plan_type === 'split-pay-plan') await decide(company, id, 'contract-accepted');
    await company.runTo('2026-11-02');
    const context = contextOf(company);
    const [policy] = (await listByOperator(context)).policies;
    return { company, ids, context, policyId: policy?.id ?? 0 };
  };
  const lower = { from: month('2026-12'), deadline: undefined, noAnswer: undefined };

  it('apply by hand, by group, else by default, and show what would apply to whoever has no subscription', async () => {
    fixture.clock.moveTo('2026-09-15');
    const company = await joinCompany(fixture, splitCompany);
    const [first, second, third] = entries(3) as [RosterEntry, RosterEntry, RosterEntry];
    await company.sync('first', [{ ...first, group: 'Trainees' }, { ...second, group: 'Berlin' }, third]);
    const context = contextOf(company);
    const terms = { name: 'Free', from: month('2026-09'), ...full };
    const { id } = await createByOperator(context, { ...terms, groups: ' trainees ,Apprentices' });
    const half = { ...split({ employerPercent: 50 }), name: 'Half', from: month('2026-09'), groups: undefined };
    const { id: byHand } = await createByOperator(context, half);
    assert.deepEqual(await plansOf(company), [
      'no-subscription fully-subsidized-plan null null',
      'no-subscription split-pay-plan null 2000',
      'no-subscription split-pay-plan null 2000',
    ]);
    const ids = (await company.employees()).map((one) => one.id as number);
    await assignByOperator(context, { employee: ids[2] ?? 0, policy: byHand, clear: false });
    await company.sync('second', [
      ...[{ ...first, autoSyncEmployee: true }, { ...second, group: 'Apprentices', autoSyncEmployee: true }, third],
    ]);
    assert.deepEqual(await plansOf(company), [
      'scheduled fully-subsidized-plan null null',
      'scheduled fully-subsidized-plan null null',
      'no-subscription split-pay-plan null 2992',
    ]);
    const client = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'hr'));
    const groups = (await client.get('/employees/groups')).body.data;
    assert.deepEqual(groups, [
      { group: 'Apprentices', employees: 1 },
      { group: 'Trainees', employees: 1 },
    ]);
    assert.equal((await client.get('/employees?group=Trainees')).body.data.total, 1);
    const { policy, group } = (await client.get(`/employees/${ids[2]}`)).body.data;
    assert.deepEqual([policy, group], [{ id: byHand, name: 'Half', reason: 'by-hand' }, null]);
    await assert.rejects(createByOperator(context, { ...terms, groups: undefined }), /choose another name/);
    await assert.rejects(assignByOperator(context, { employee: 0, policy: id, clear: false }), /has no employee 0/);
  });

  it('begin later for new employees where the policy has a waiting time', async () => {
    fixture.clock.moveTo('2026-09-15');
    const company = await joinCompany(fixture);
    const terms = { ...full, waitingMonths: 6, name: 'After probation', from: month('2026-09'), groups: 'New' };
    await createByOperator(contextOf(company), terms);
    const fields = { group: 'New', startDate: '2026-09-01', autoSyncEmployee: true };
    await company.sync('first', entries(1, fields));
    const [employee] = await company.employees();
    assert.equal(employee.subscription.upcoming.at, '2027-03-01');
  });

  it('change running subscriptions from their month on, once, where the share does not rise', async () => {
    const { company, context, policyId } = await start(2);
    const wanted = { id: policyId, ...lower, ...split({ employeeAmount: 1500 }) };
    const plan = await changeByOperator(context, { ...wanted, apply: false });
    assert.deepEqual(
      [plan.affected, plan.mustAgree, plan.companyCents.perMonth, plan.companyCents.perYear.after, plan.applied],
      [2, 0, { before: 7970, after: 8970 }, 107_640, null],
    );
    const applied = await Promise.all([1, 2].map(() => changeByOperator(context, { ...wanted, apply: true })));
    assert.equal(new Set(applied.map((one) => one.applied)).size, 1);
    await changeByOperator(context, { ...wanted, apply: true });
    const { rows } = await sql`select from plan_change_items i where i.company_id = ${company.companyId}`.execute(
      fixture.app.db,
    );
    assert.equal(rows.length, 2);
    assert.deepEqual(await plansOf(company), [
      'active split-pay-plan accepted 2000',
      'active split-pay-plan accepted 2000',
    ]);
    await company.runTo('2026-12-02');
    assert.deepEqual(await plansOf(company), [
      'active split-pay-plan accepted 1500',
      'active split-pay-plan accepted 1500',
    ]);
    const tickets = (await company.charges('2026-12-01')).filter((one) => one.startsWith('ticket-charge'));
    assert.deepEqual(
      tickets.map((one) => one.split(' ').at(-1)),
      ['(4485/1500)', '(4485/1500)'],
    );
    assert.deepEqual((await listByOperator(context)).changes[0]?.employees, { changed: 2 });
  });

  it('ask those who pay nothing so far, and have never agreed to anything', async () => {
    const { company, ids, context, policyId } = await start(2, {});
    const wanted = { id: policyId, from: month('2026-12'), deadline: Temporal.PlainDate.from('2026-11-08') };
    await changeByOperator(context, {
      ...{ ...wanted, noAnswer: 'keep' as const, apply: true },
      ...split({ employeeAmount: 2000 }),
    });
    assert.deepEqual(new Set(await plansOf(company)), new Set(['active fully-subsidized-plan pending null']));
    await decide(company, ids[0] ?? 0, 'contract-accepted');
    await company.runTo('2026-12-02');
    assert.deepEqual(await plansOf(company), [
      'active split-pay-plan accepted 2000',
      'active fully-subsidized-plan null null',
    ]);
  });

  const outcomes = {
    keep: ['active split-pay-plan accepted 2000', { changed: 1, kept: 2 }],
    pause: ['paused split-pay-plan accepted 2000', { changed: 1, paused: 2 }],
    cancel: ['cancelled split-pay-plan accepted 5000', { cancelled: 2, changed: 1 }],
  } as const;
  for (const [noAnswer, [state, counts]] of Object.entries(outcomes)) {
    it(`need an agreement where the share rises, and ${noAnswer} the others after the deadline`, async () => {
      const { company, ids, context, policyId } = await start(3);
      const rule = noAnswer as keyof typeof outcomes;
      const deadline = Temporal.PlainDate.from('2026-11-08');
      const wanted = {
        id: policyId,
        from: month('2026-12'),
        deadline,
        noAnswer: rule,
        ...split({ employeeAmount: 5000 }),
      };
      const applied = await changeByOperator(context, { ...wanted, apply: true });
      assert.deepEqual([applied.affected, applied.mustAgree, applied.discountLost], [3, 3, ids]);
      assert.deepEqual(new Set(await plansOf(company)), new Set(['active split-pay-plan pending 2000']));
      await decide(company, ids[0] ?? 0, 'contract-accepted');
      await decide(company, ids[1] ?? 0, 'contract-rejected');
      assert.deepEqual(await plansOf(company), [
        'active split-pay-plan accepted 2000',
        'active split-pay-plan accepted 2000',
        'active split-pay-plan pending 2000',
      ]);
      await company.runTo('2026-12-02');
      await company.runTo('2026-12-02');
      assert.deepEqual(await plansOf(company), ['active split-pay-plan accepted 5000', state, state]);
      assert.deepEqual((await listByOperator(context)).changes[0]?.employees, counts);
      const { body } = await company.get(`/employees/${ids[0]}/subscription-history?perPage=50`);
      const rules = body.data.data
        .map((one: { rule: string }) => one.rule)
        .filter((one: string) => one.startsWith('plan-'));
      assert.deepEqual(rules, ['plan-change-offered', 'plan-change-accepted', 'plan-changed']);
    });
  }

  it('include whoever subscribes before the month begins, and refuse other terms for the same month', async () => {
    const { company, context, policyId } = await start(1, {});
    const wanted = { id: policyId, from: month('2027-01'), deadline: undefined, noAnswer: undefined, apply: true };
    await changeByOperator(context, { ...wanted, ...split({ employerAmount: 6000 }) });
    await company.sync('second', entries(2, { autoSyncEmployee: true }));
    await company.runTo('2027-01-02');
    assert.deepEqual(await plansOf(company), ['active split-pay-plan null 0', 'active split-pay-plan null 0']);
    await assert.rejects(
      changeByOperator(context, { ...wanted, ...full, from: month('2026-11') }),
      /must be a month after/,
    );
  });
});
