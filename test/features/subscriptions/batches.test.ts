import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { operator } from '../../../src/domain/actor.ts';
import { lockCompany } from '../../../src/features/companies/companies.ts';
import { insertBatch, runBatches } from '../../../src/features/subscriptions/batches/run.ts';
import { connectDatabase } from '../../../src/platform/db/database.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { entries, makePusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

describe('requests about the subscriptions of many', () => {
  const app = useApp({ worker: 'without documents' });

  async function makeCompanyOf(count: number, autoSyncEmployee: boolean | null = null) {
    const pusher = await makePusher(app);
    const { companyId } = pusher;
    await sql`update companies set plan_type = 'split-pay-plan', contribution_cents = 2000, joining = 'both'
      where id = ${companyId}`.execute(app.db);
    await pusher.sync('first', entries(count, { autoSyncEmployee }));
    await sql`update employees set contract_status = 'accepted' where company_id = ${companyId}
      and contract_status = 'pending'`.execute(app.db);
    const client = await signIn(app, await makeUser(app, companyId, 'hr', { name: 'Hanna Recht' }));
    const ids: number[] = (await pusher.employees()).map(({ id }: { id: number }) => id);
    return { companyId, client, ids };
  }
  type Company = Awaited<ReturnType<typeof makeCompanyOf>>;

  const preview = async ({ client }: Company, body: object) =>
    (await client.post('/subscription-batches/preview', body)).body.data;
  const finish = async ({ client }: Company, id: number) => {
    const get = async () => (await client.get(`/subscription-batches/${id}`)).body.data;
    await until(`batch ${id} is finished`, async () => (await get()).finishedAt !== null);
    return get();
  };
  const run = async (company: Company, body: object) => {
    const { applicable } = await preview(company, body);
    const { status, body: started } = await company.client.post('/subscription-batches', {
      ...body,
      confirm: applicable,
    });
    assert.equal(status, 202, JSON.stringify(started));
    return finish(company, started.data.id);
  };
  const statuses = async ({ companyId }: Company) => {
    const { rows } = await sql<{ status: string; count: number }>`
      select subscription_status as status, count(*) as count from employees where company_id = ${companyId}
      group by 1 order by 1`.execute(app.db);
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  };

  it('begin with a preview: who, from when, the costs, and who cannot and why', async () => {
    const company = await makeCompanyOf(4);
    const { client, ids } = company;
    const [first = 0] = ids;
    await client.post(`/employees/${first}/decisions`, { decision: 'subscribe' });
    const found = await preview(company, { action: 'subscribe', filter: {} });
    const { effects, monthly, from, named, refusals, ...counts } = found;
    assert.deepEqual(counts, { employees: 4, applicable: 3, unchanged: 0, needConsent: 0 });
    assert.deepEqual([effects.begin, effects.awaitingConsent], [3, 3]);
    assert.equal(monthly.employeesCents, 3 * 2000);
    assert.equal(monthly.companyCents + monthly.employeesCents, effects.monthlyCents);
    assert.deepEqual(
      from.map(({ employees }: { employees: number }) => employees),
      [3],
    );
    assert.deepEqual(
      named.map(({ employeeId }: { employeeId: number }) => employeeId),
      ids.slice(1),
    );
    assert.deepEqual(
      refusals.map((one: { named: object[] }) => one.named.length),
      [1],
    );
    const pause = await preview(company, { action: 'pause', employeeIds: ids });
    assert.equal(pause.applicable, 1);
    const [{ message, employees, named: some }] = pause.refusals;
    assert.deepEqual([employees, some.length], [3, 3]);
    assert.equal(message.key, 'refusal-not-possible-in-this-status');
    assert.deepEqual(await statuses(company), { 'no-subscription': 3, scheduled: 1 }, 'nothing has changed');
  });

  it('subscribe everybody who matches, and pause them again for some months', async () => {
    const company = await makeCompanyOf(130);
    const done = await run(company, { action: 'subscribe', filter: { subscriptionStatuses: ['no-subscription'] } });
    assert.deepEqual([done.total, done.decided, done.refused, done.refusals], [130, 130, 0, []]);
    assert.deepEqual(await statuses(company), { scheduled: 130 });
    const { bytes } = await company.client.get(`/subscription-batches/${done.id}/export`);
    const lines = bytes
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines.length, 130);
    assert(lines.every(({ outcome, from, lastName }) => outcome === 'decided' && from && lastName));
    const { rows } = await sql<{ made: number; audited: number }>`select
      (select count(*) from subscription_requests where company_id = ${company.companyId}) as made,
      (select count(*) from audit_log where company_id = ${company.companyId}
        and action = 'subscriptions.subscribe') as audited`.execute(app.db);
    assert.deepEqual(rows, [{ made: 130, audited: 1 }]);
  });

  it('are undone for everybody for whom the rules allow it, once', async () => {
    const company = await makeCompanyOf(3, true);
    const { client, ids } = company;
    const [, changed = 0] = ids;
    const done = await run(company, { action: 'cancel', filter: {} });
    assert.equal(done.undo.employees, 3);
    // Somebody subscribes again meanwhile: there is nothing left to undo for them.
    assert.equal((await client.post(`/employees/${changed}/decisions`, { decision: 'subscribe' })).status, 200);
    const { undo } = (await client.get(`/subscription-batches/${done.id}`)).body.data;
    assert.equal(undo.employees, 2);
    const path = `/subscription-batches/${done.id}/undo`;
    const wrong = await client.post(path, { confirm: 3 });
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'confirmation-mismatch']);
    const both = await Promise.all([client.post(path, { confirm: 2 }), client.post(path, { confirm: 2 })]);
    for (const { status, body } of both) if (status === 202) await finish(company, body.data.id);
    const undone = both.filter(({ status }) => status === 202);
    const results = await Promise.all(undone.map(({ body }) => finish(company, body.data.id)));
    assert.equal(
      results.reduce((sum, { decided }) => sum + decided, 0),
      2,
    );
    assert.deepEqual(await statuses(company), { scheduled: 3 });
    const again = (await client.get(`/subscription-batches/${done.id}`)).body.data;
    assert.equal(again.undo, null);
  });

  it('do not undo what somebody had requested before about the same employee', async () => {
    const company = await makeCompanyOf(2, true);
    const { client, ids } = company;
    const [first = 0] = ids;
    await client.post(`/employees/${first}/decisions`, { decision: 'cancel' });
    const found = await preview(company, { action: 'cancel', filter: {} });
    assert.equal(found.applicable, 1);
    const done = await run(company, { action: 'cancel', filter: {} });
    assert.equal(done.undo.employees, 1);
  });

  it('tell another number of employees than the preview has named, and change nothing then', async () => {
    const company = await makeCompanyOf(2);
    const { status, body } = await company.client.post('/subscription-batches', {
      ...{ action: 'subscribe', filter: {}, confirm: 1 },
    });
    assert.deepEqual([status, body.code], [409, 'confirmation-mismatch']);
    assert.match(body.detail, /applies to 2 employees now, not to 1/);
    assert.deepEqual(await statuses(company), { 'no-subscription': 2 });
  });

  it('continue after a worker was killed, and apply to each employee once', async () => {
    // Enough steps for the worker to be in one of them when it is killed.
    const many = 700;
    const company = await makeCompanyOf(many);
    const { companyId, ids } = company;
    const silent = { ...app.deps, queue: { ...app.deps.queue, enqueueContracts: async () => {} } };
    const batch = { action: 'subscribe', employeeIds: ids, actor: operator } as const;
    const id = await writeCompany(app.db, companyId, (tx) => insertBatch(tx, silent, companyId, batch));
    const first = connectDatabase({ url: app.databaseUrl, max: 1, applicationName: 'killed' });
    const killed = assert.rejects(runBatches(first.db, app.deps, companyId));
    const decided = async () => (await company.client.get(`/subscription-batches/${id}`)).body.data.decided;
    await until('a step is done', async () => (await decided()) >= 100);
    await app.db.transaction().execute(async (tx) => {
      await lockCompany(tx, companyId);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'killed' and datname = current_database()`.execute(tx);
      await killed;
    });
    await first.close();
    assert((await decided()) < many);
    // Two workers at the same time continue.
    await Promise.all([runBatches(app.db, app.deps, companyId), runBatches(app.db, app.deps, companyId)]);
    const done = await finish(company, id);
    assert.deepEqual([done.decided, done.refused], [many, 0]);
    const { rows } = await sql<{ employees: number; made: number }>`
      select count(distinct employee_id) as employees, count(*) as made from subscription_requests
      where company_id = ${companyId}`.execute(app.db);
    assert.deepEqual(rows, [{ employees: many, made: many }]);
  });

  it('say for whom it was no longer possible, and why', async () => {
    const company = await makeCompanyOf(2);
    const { companyId, ids } = company;
    const silent = { ...app.deps, queue: { ...app.deps.queue, enqueueContracts: async () => {} } };
    const batch = { action: 'pause', employeeIds: [...ids, 999_999_999], actor: operator } as const;
    const id = await writeCompany(app.db, companyId, (tx) => insertBatch(tx, silent, companyId, batch));
    await runBatches(app.db, app.deps, companyId);
    const { refused, refusals } = await finish(company, id);
    assert.equal(refused, 3);
    assert.deepEqual(
      refusals.map(
        ({ message, employees, named }: { message: { key: string }; employees: number; named: object[] }) => [
          ...[message.key, employees, named.length],
        ],
      ),
      [
        ['refusal-not-possible-in-this-status', 2, 2],
        ['batch-employee-gone', 1, 0],
      ],
    );
  });

  it('belong to one company', async () => {
    const [company, other] = [await makeCompanyOf(1), await makeCompanyOf(1)];
    const found = await preview(company, { action: 'subscribe', employeeIds: other.ids });
    assert.deepEqual([found.employees, found.applicable], [1, 0]);
    const done = await run(company, { action: 'subscribe', filter: {} });
    for (const path of ['', '/export']) {
      assert.equal((await other.client.get(`/subscription-batches/${done.id}${path}`)).status, 404, path);
    }
    assert.equal((await other.client.post(`/subscription-batches/${done.id}/undo`, { confirm: 1 })).status, 404);
  });
});
