import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Effects } from '../../../src/features/billing/contract.ts';
import { useApp } from '../../support/app.ts';
import { pluck } from '../../support/pluck.ts';
import { usePortal } from '../../support/portal.ts';
import { anEntry, entries, makePulling, usePusher } from '../../support/sync.ts';

const app = useApp({ worker: 'without documents' });

const none: Effects = { begin: 0, awaitingConsent: 0, end: 0, resume: 0, pause: 0, monthlyCents: 0 };
const subscribed = { autoSyncEmployee: true };
/** What tickets, service fees and fees for links cost, in cents: 59.85 each, and 1.50 and 1.00 with 19 % VAT. */
const withVat = (netCents: number) => Math.round((netCents * 119) / 100);
const cost = (count: number) => 5985 * count + withVat(150 * count) + withVat(100 * count);

/** Each test continues where the last one ended. */
describe('the effects of a preview', () => {
  const pusher = usePusher(app);
  const client = usePortal(app, pusher);
  const path = (rest: string) => `/integrations/${pusher.integrationId}/${rest}`;
  const get = async (rest: string) => {
    const { status, body } = await client.get(path(rest));
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const preview = async (employees: object[]) =>
    (await client.post(path('preview'), { syncId: 'preview', employees })).body.data;
  const effectsOf = async (syncId: string): Promise<Effects> => (await get(`syncs/${syncId}`)).effects;
  const codesOf = (records: { hrId: string; code: string }[]) => records.map(({ hrId, code }) => `${hrId} ${code}`);

  it('are those of the sync afterwards, to the cent and with fees', async () => {
    await makePulling(app.db, pusher);
    const roster = entries(57, subscribed);
    const first = await preview(roster);
    assert.deepEqual(first.effects, { ...none, begin: 57, monthlyCents: 358_103 });
    assert.equal('effects' in (await pusher.preview(roster)), false, 'the public API stays as it is');
    await pusher.sync('one', roster);
    assert.deepEqual(await effectsOf('one'), first.effects);
    const again = await preview(roster);
    assert.deepEqual(again.effects, none);
  });

  it('name those who leave and return, and list them first', async () => {
    await sql`update employees set subscription_status = 'active', start_on = '2026-11-01'
      where company_id = ${pusher.companyId}`.execute(app.db);
    await pusher.sync('two', entries(57, subscribed).slice(2));
    assert.deepEqual(await effectsOf('two'), { ...none, end: 2, monthlyCents: -cost(2) });
    const roster = [anEntry(58, subscribed), ...entries(56, subscribed)];
    const { effects, records } = await preview(roster);
    assert.deepEqual(effects, { ...none, begin: 1, end: 1, resume: 2, monthlyCents: cost(2) });
    const expected = ['E57 offboarded', 'E1 returned', 'E2 returned', 'E58 created'];
    assert.deepEqual(codesOf(records), expected);
    await pusher.sync('three', roster);
    assert.deepEqual(await effectsOf('three'), effects);
    assert.deepEqual(codesOf((await get('syncs/three/records')).data), expected);
    assert.deepEqual(pluck((await get('syncs/three/records?perPage=2&page=2')).data, 'hrId'), ['E2', 'E58']);
  });

  it('tell what approving removals does, for all or for some', async () => {
    await sql`update companies set guard_minimum_linked = 10 where id = ${pusher.companyId}`.execute(app.db);
    await pusher.sync('four', entries(36, subscribed));
    assert.deepEqual(await effectsOf('four'), none);
    const held = (await get('syncs/four/records?outcomes=held&perPage=100')).data;
    assert.equal(held.length, 21);
    // The one without a ticket yet, E58, was to begin next month.
    assert.deepEqual(await get('syncs/four/removals'), { ...none, end: 21, monthlyCents: -cost(21) });
    const ids = held.slice(0, 2).map(({ employeeId }: { employeeId: number }) => employeeId);
    const some = { ...none, end: 2, monthlyCents: -cost(2) };
    assert.deepEqual(await get(`syncs/four/removals?employeeIds=${ids[0]}&employeeIds=${ids[1]}`), some);
    const decide = (body: object) => client.post(path('syncs/four/removals'), { decision: 'approved', ...body });
    assert.equal((await decide({ confirm: 2, employeeIds: ids })).status, 204);
    assert.deepEqual(await effectsOf('four'), some);
    assert.deepEqual(await get('syncs/four/removals'), { ...none, end: 19, monthlyCents: -cost(19) });
    assert.equal((await decide({ confirm: 19 })).status, 204);
    assert.deepEqual(await effectsOf('four'), { ...none, end: 21, monthlyCents: -cost(2) - cost(19) });
    assert.deepEqual(await get('syncs/four/removals'), none);
  });

  it('tell what a decision does', async () => {
    const { id } = await pusher.employee('E3');
    const decide = async (rest: string, decision: string) =>
      (await client.post(`/employees/${id}/decisions${rest}`, { decision })).body.data.effects;
    const ticket = 5985 + withVat(150);
    assert.deepEqual(await decide('/preview', 'pause'), { ...none, pause: 1, monthlyCents: -ticket });
    const ended = { ...none, end: 1, monthlyCents: -ticket };
    assert.deepEqual(await decide('/preview', 'cancel'), ended);
    assert.deepEqual(await decide('', 'cancel'), ended);
    assert.deepEqual(await decide('/preview', 'cancel'), none);
  });

  it('tell what deleting the integration does', async () => {
    const { linked, last, effects } = await get('deletion');
    assert.deepEqual([linked, last], [36, 36]);
    assert.deepEqual(effects.keep, { ...none, monthlyCents: -withVat(3600) });
    // E3 is ending already.
    const fees = withVat(35 * 150) + withVat(3600);
    assert.deepEqual(effects.offboard, { ...none, end: 35, monthlyCents: -35 * 5985 - fees });
  });
});
