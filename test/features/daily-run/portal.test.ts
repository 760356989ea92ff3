import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { listMovedCompanies } from '../../../src/features/daily-run/time-travel.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { startTestApp, useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { anonymousClient, makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { productionEnv } from '../../support/production.ts';
import { anEntry, usePusher } from '../../support/sync.ts';

/** These tests use the clock of the environment, which starts on the real day. */
describe('time travel in the portal', () => {
  const app = useApp({ worker: 'without documents', clock: 'environment' });
  const company = usePusher(app);
  let client: PortalClient;
  let userId: string;

  const today = async () => Temporal.PlainDate.from((await client.get('/me')).body.data.today);
  const travel = (to: string | Temporal.PlainDate) => client.post('/time-travel', { to: String(to), confirm: 1 });

  before(async () => {
    const day = app.deps.clock.now().toZonedDateTimeISO('Europe/Berlin').toPlainDate().toString();
    await sql`update companies set processed_through = ${day}::date where id = ${company.companyId}`.execute(app.db);
    const user = await makeUser(app, company.companyId, 'developer');
    userId = user.id;
    client = await signIn(app, user);
  });

  it('processes every day up to the target, then shows that day', async () => {
    await company.sync('one', [anEntry(1, { autoSyncEmployee: true })]);
    const from = await today();
    const first = from.with({ day: 1 }).add({ months: 1 });
    const { status, body } = await travel(first.add({ days: 2 }));
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, { data: { today: first.add({ days: 2 }).toString() } });
    assert.equal((await today()).toString(), body.data.today);
    const { ticket, subscription } = await company.employee('E1');
    assert.deepEqual([ticket.ticketMonth, subscription.status], [first.toString().slice(0, 7), 'active']);
    const items = await company.get(`/billing/items/${first}/ticket-charge`);
    assert.equal(items.body.data.length, 1);
    const { rows } = await sql`select actor_type, actor, target, detail from audit_log
      where company_id = ${company.companyId} and action = 'environment.time-travel'`.execute(app.db);
    const to = body.data.today;
    assert.deepEqual(rows, [{ actor_type: 'user', actor: userId, target: to, detail: { from: from.toString(), to } }]);
    // The session began before the time travel, which has not ended it.
    assert.equal((await client.get('/overview')).status, 200);
  });

  it('moves forward only, by at most 400 days at once', async () => {
    const here = await today();
    for (const [to, code] of [
      [here, 'past'],
      [here.subtract({ days: 1 }), 'past'],
      [here.add({ days: 401 }), 'too-far'],
      ['9999-12-31', 'too-far'],
      ['2026-02-30', 'format'],
      ['tomorrow', 'format'],
    ] as const) {
      const { status, body } = await travel(to);
      assert.deepEqual(
        [status, body.code, body.errors[0].pointer, body.errors[0].code],
        [400, 'invalid-body', '/to', code],
      );
    }
    assert.equal((await today()).toString(), here.toString());
    const { rows } = await sql<{ entries: number }>`select count(*) as entries from audit_log
      where company_id = ${company.companyId} and action = 'environment.time-travel'`.execute(app.db);
    assert.equal(rows[0]?.entries, 1);
  });

  it('processes each day once for two concurrent requests', async () => {
    const to = (await today()).add({ months: 1 });
    const responses = await Promise.all([travel(to), travel(to)]);
    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.data.today]),
      [
        [200, to.toString()],
        [200, to.toString()],
      ],
    );
    const { rows } = await sql<{ tickets: number; days: number }>`
      select count(*) as tickets, count(distinct month) as days from tickets
      where company_id = ${company.companyId}`.execute(app.db);
    assert.equal(rows[0]?.tickets, rows[0]?.days);
  });

  it('is refused for viewers', async () => {
    const viewer = await signIn(app, await makeUser(app, company.companyId, 'viewer'));
    const { status, body } = await viewer.post('/time-travel', { to: '2099-01-01', confirm: 1 });
    assert.deepEqual([status, body.code], [403, 'missing-role']);
  });

  it('requires the number of companies as confirmation', async () => {
    const here = await today();
    const { body } = await client.get('/time-travel');
    const { rows } = await sql<{ id: number; name: string }>`select id, name from companies`.execute(app.db);
    assert.deepEqual(body, { data: { companies: rows } });
    assert.deepEqual([rows.length, rows[0]?.id], [1, company.companyId]);
    const to = here.add({ days: 1 }).toString();
    const missing = await client.post('/time-travel', { to });
    assert.deepEqual([missing.status, missing.body.errors[0].pointer], [400, '/confirm']);
    const wrong = await client.post('/time-travel', { to, confirm: 2 });
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'confirmation-mismatch']);
    assert.equal((await today()).toString(), here.toString());
  });

  it('is left to the operator if there is a second company, unless it is allowed', async () => {
    const here = await today();
    assert.equal((await client.get('/me')).body.data.timeTravel, true);
    const other = await makeCompany(app.db);
    assert.equal((await client.get('/me')).body.data.timeTravel, false);
    for (const response of [await client.get('/time-travel'), await travel(here.add({ days: 1 }))]) {
      assert.deepEqual([response.status, response.body.code], [403, 'time-travel-not-allowed']);
    }
    assert.equal((await today()).toString(), here.toString());
    const moved = (timeTravel: 'portal' | 'operator' | undefined, environment: 'staging' | 'production' = 'staging') =>
      listMovedCompanies(app.db, { environment, timeTravel });
    assert.deepEqual(
      (await moved('portal'))?.map(({ id }) => id),
      [company.companyId, other],
    );
    for (const timeTravel of ['operator', undefined] as const) assert.equal(await moved(timeTravel), undefined);
    assert.equal(await moved('portal', 'production'), undefined);
  });

  it('follows TIME_TRAVEL: portal allows several companies, operator refuses even one', () => {
    assert.equal(readConfig({}).timeTravel, undefined);
    assert.equal(readConfig({ TIME_TRAVEL: 'portal' }).timeTravel, 'portal');
    assert.equal(readConfig({ TIME_TRAVEL: 'operator' }).timeTravel, 'operator');
    assert.throws(() => readConfig({ TIME_TRAVEL: 'on' }), /TIME_TRAVEL must be one of portal, operator, but is "on"/);
  });

  it('does not exist in production', async () => {
    await using production = await startTestApp({ env: productionEnv });
    const { status, body } = await anonymousClient(production).post('/time-travel', { to: '2099-01-01', confirm: 1 });
    assert.deepEqual([status, body.code], [404, 'route-not-found']);
  });
});
