import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Actor } from '../../../src/domain/actor.ts';
import type { Decision } from '../../../src/domain/subscription/transitions.ts';
import { listSubscriptionChanges } from '../../../src/features/employees/history.ts';
import { applyDecision } from '../../../src/features/subscriptions/apply-decision.ts';
import { joinCompany, onlyEmployee, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { pluck } from '../../support/pluck.ts';
import { watchStatements } from '../../support/statements.ts';
import { anEntry, assertKeptCounts } from '../../support/sync.ts';

const user: Actor = { type: 'user', name: '17' };

describe('decisions about a subscription', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  async function begin(entry = {}, settings: Record<string, unknown> = {}) {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture, settings);
    await company.sync('one', [anEntry(1, entry)]);
    return company;
  }

  const subscriptionOf = async (company: TestCompany) => (await onlyEmployee(company)).subscription;

  const decideFor = ({ companyId }: TestCompany, id: number, decision: Decision) =>
    watchStatements(fixture.app.db)
      .transaction()
      .execute((tx) => applyDecision(tx, fixture.app.deps, companyId, { employeeId: id, decision, actor: user }));

  async function take(company: TestCompany, decision: Decision) {
    return decideFor(company, (await onlyEmployee(company)).id, decision);
  }

  it('start, pause, resume and end it by the rules', async () => {
    const company = await begin();
    assert.equal((await take(company, 'subscribe')).kind, 'decided');
    assert.deepEqual((await subscriptionOf(company)).upcoming, { type: 'start', at: '2026-02-01' });
    await company.runTo('2026-02-05');
    await take(company, 'pause');
    assert.deepEqual((await subscriptionOf(company)).upcoming, { type: 'pause', at: '2026-03-01' });
    await company.runTo('2026-03-20');
    assert.equal((await subscriptionOf(company)).pausedAt, '2026-03-01');
    await take(company, 'resume');
    await company.runTo('2026-04-11');
    assert.equal((await subscriptionOf(company)).reactivatedAt, '2026-04-01');
    await take(company, 'cancel');
    assert.deepEqual((await subscriptionOf(company)).upcoming, { type: 'cancellation', at: '2026-06-01' });
    await company.runTo('2026-06-01');
    const ended = await subscriptionOf(company);
    assert.deepEqual([ended.status, ended.cancelledAt], ['cancelled', '2026-06-01']);
    await take(company, 'subscribe');
    // Until the new start, the dates are those of the ended subscription, from the database too.
    const dates = {
      startAt: '2026-02-01',
      pausedAt: '2026-03-01',
      cancelledAt: '2026-06-01',
      reactivatedAt: '2026-04-01',
    };
    const again = await subscriptionOf(company);
    assert.deepEqual(again, {
      ...{ status: 'scheduled', nextTicketAt: '2026-07-01', ...dates },
      upcoming: { type: 'start', at: '2026-07-01' },
    });
    await company.runTo('2026-07-01');
    const restarted = await subscriptionOf(company);
    const start = { startAt: '2026-07-01', cancelledAt: null, reactivatedAt: '2026-07-01' };
    assert.deepEqual(restarted, {
      ...again,
      ...{ ...start, status: 'active', nextTicketAt: '2026-08-01', upcoming: null },
    });
    assert.deepEqual(
      (await company.tickets()).map((ticket) => ticket.slice(-2)),
      ['02', '04', '05', '07'],
    );
    await assertKeptCounts(company);
  });

  it('record each change with its day, source, rule and author', async () => {
    const company = await begin({ autoSyncEmployee: true }, { plan_type: 'split-pay-plan', contribution_cents: 2000 });
    await take(company, 'contract-accepted');
    await company.runTo('2026-02-01');
    await company.sync('two', [
      anEntry(1, { absences: [{ startDate: '2026-02-20', endDate: '2026-04-05', approved: true }] }),
    ]);
    await company.runTo('2026-03-01');
    await take(company, 'cancel');
    const { id } = await onlyEmployee(company);
    const changes = await listSubscriptionChanges(fixture.app.db, company.companyId, id);
    assert.deepEqual(
      changes.map(({ knownOn, effectiveOn, source, cause, rule, from, to, actor, syncId }) =>
        [knownOn, effectiveOn, source, cause, rule, `${from} → ${to}`, actor.type, syncId].join(' | '),
      ),
      [
        '2026-01-15 | 2026-02-01 | sync | subscribe | start-next-month | no-subscription → scheduled | key | one',
        '2026-01-15 | 2026-01-15 | contract | contract-accepted | contract-accepted | scheduled → scheduled | user | ',
        '2026-02-01 | 2026-02-01 | calendar | calendar | start-has-come | scheduled → active | service | ',
        '2026-02-01 | 2026-03-01 | absence | absence | pause-whole-months | active → scheduled-pause | key | two',
        '2026-03-01 | 2026-03-01 | calendar | calendar | pause-has-come | scheduled-pause → paused | service | ',
        '2026-03-01 | 2026-03-01 | user | cancel | end-without-ticket | paused → cancelled | user | ',
      ],
    );
    assert.match(changes[3]?.detail ?? '', /1 March 2026/);
    const audit = await fixture.app.db
      .selectFrom('audit_log')
      .select(['action', 'actor_type', 'actor', 'target'])
      .where('company_id', '=', company.companyId)
      .where('action', 'like', 'subscription.%')
      .orderBy('id')
      .execute();
    assert.deepEqual(audit, [
      { action: 'subscription.contract-accepted', actor_type: 'user', actor: '17', target: String(id) },
      { action: 'subscription.cancel', actor_type: 'user', actor: '17', target: String(id) },
    ]);
  });

  it('postpone the start while the contract is pending, and cancel when it is rejected', async () => {
    const company = await begin({ autoSyncEmployee: true }, { plan_type: 'deferred-plan' });
    const starts: string[] = [];
    for (const day of ['2026-01-31', '2026-02-01', '2026-03-01']) {
      await company.runTo(day);
      const { startAt, upcoming, nextTicketAt, status } = await subscriptionOf(company);
      assert.equal(startAt, null);
      starts.push(`${status} ${upcoming.at} ${nextTicketAt}`);
    }
    assert.deepEqual(starts, ['scheduled 2026-02-01 null', 'scheduled 2026-03-01 null', 'scheduled 2026-04-01 null']);
    await take(company, 'contract-rejected');
    const { subscription, plan } = await onlyEmployee(company);
    assert.deepEqual([subscription.status, plan.contractSigningStatus], ['cancelled', 'rejected']);
    assert.deepEqual(await company.tickets(), []);
  });

  it('are refused with a reason, and change nothing', async () => {
    const company = await begin();
    for (const decision of ['cancel', 'pause', 'contract-accepted'] as const) {
      const outcome = await take(company, decision);
      assert.equal(outcome.kind, 'refused');
      assert.match(outcome.kind === 'refused' ? outcome.refusal.sentence : '', /^[A-Z].*\.$/);
    }
    assert.equal((await subscriptionOf(company)).status, 'no-subscription');
    const unknown = await decideFor(company, 999_999, 'cancel');
    assert.equal(unknown.kind, 'unknown-employee');
    const { id } = await onlyEmployee(company);
    const other = await joinCompany(fixture);
    const foreign = await decideFor(other, id, 'subscribe');
    assert.equal(foreign.kind, 'unknown-employee');
  });

  it('have the same result when made twice or concurrently', async () => {
    const company = await begin({ autoSyncEmployee: true });
    await company.runTo('2026-02-05');
    await Promise.all(Array.from({ length: 6 }, () => take(company, 'cancel')));
    const { id, subscription } = await onlyEmployee(company);
    assert.deepEqual(subscription.upcoming, { type: 'cancellation', at: '2026-03-01' });
    const changes = await listSubscriptionChanges(fixture.app.db, company.companyId, id);
    assert.deepEqual(pluck(changes, 'cause'), ['subscribe', 'calendar', 'cancel']);
  });
});
