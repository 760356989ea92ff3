import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { openQueue } from '../../src/platform/jobs/queue.ts';
import { type Fixture, joinCompany, startFixture, type TestCompany } from '../support/daily-run.ts';
import { makeCompany } from '../support/factories.ts';
import { entries } from '../support/sync.ts';
import { until } from '../support/until.ts';

type Line = Record<string, unknown>;

const subscribed = { autoSyncEmployee: true } as const;

describe('The log of the work', () => {
  let fixture: Fixture;
  let company: TestCompany;
  before(async () => {
    fixture = await startFixture('2026-10-05');
    company = await joinCompany(fixture);
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= fixture.close();
    return stopped;
  };
  after(stop);

  const lines = (message: string): Line[] =>
    fixture.app.logs.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === message);
  const waitForLine = async (message: string, wanted: Line): Promise<Line> => {
    let found: Line | undefined;
    const matches = (line: Line) => Object.entries(wanted).every(([name, value]) => line[name] === value);
    await until(`"${message}" is logged`, () => {
      found = lines(message).find(matches);
      return found !== undefined;
    });
    return found ?? {};
  };
  /** Returns the line without the fields that differ in every run. */
  const fieldsOf = ({ level: _level, time: _time, pid: _pid, hostname: _host, msg: _msg, ...fields }: Line) => {
    const { ms, waitedMs, ...others } = fields;
    for (const time of [ms, waitedMs]) assert(time === undefined || (Number.isInteger(time) && Number(time) >= 0));
    return others;
  };

  it('has a line for a roster that was accepted, one for its outcome, and the request id in both', async () => {
    const { status, headers } = await company.push('first', entries(3, subscribed));
    assert.equal(status, 204);
    const requestId = headers.get('x-request-id');
    const about = { companyId: company.companyId, hrIntegrationId: company.integrationId, syncId: 'first' };
    const accepted = await waitForLine('sync accepted', { syncId: 'first' });
    assert.deepEqual(fieldsOf(accepted), { requestId, ...about, entries: 3 });
    const applied = await waitForLine('sync applied', { syncId: 'first' });
    const counts = { created: 3, updated: 0, unchanged: 0, offboarded: 0, held: 0, failed: 0 };
    assert.deepEqual(fieldsOf(applied), { ...about, requestId, outcome: 'succeeded', entries: 3, ...counts });
  });

  it('says so if the same roster is pushed again', async () => {
    assert.equal((await company.push('first', entries(3, subscribed))).status, 204);
    const repeated = await waitForLine('sync was already accepted', { syncId: 'first' });
    assert.equal(repeated.entries, 3);
    assert.equal(lines('sync accepted').length, 1);
  });

  it('has a line for each attempt of a sync that fails inside the service', async () => {
    await sql`alter table subscription_changes add constraint broken check (false) not valid`.execute(fixture.app.db);
    try {
      assert.equal((await company.push('broken', entries(4, subscribed))).status, 204);
      await waitForLine('sync failed', { syncId: 'broken', attempt: 3, willRetry: false });
    } finally {
      await sql`alter table subscription_changes drop constraint broken`.execute(fixture.app.db);
    }
    const attempts = lines('sync failed').map(({ attempt, willRetry }) => `${attempt} ${willRetry}`);
    assert.deepEqual(attempts, ['1 true', '2 true', '3 false']);
  });

  it('has a line for the daily run of a company and for the period that it bills', async () => {
    await company.runTo('2026-10-31');
    fixture.clock.moveTo('2026-11-01');
    const other = await makeCompany(fixture.app.db);
    await sql`update companies set processed_through = '2026-10-30' where id = ${other}`.execute(fixture.app.db);
    const queue = await openQueue({ url: fixture.app.databaseUrl, worker: false, log: pino({ level: 'silent' }) });
    await queue.enqueueDailyRuns([company.companyId, other]);
    await queue.stop();
    const { companyId } = company;
    const run = await waitForLine('daily run finished', { companyId, through: '2026-11-01' });
    const { moved, ...counts } = fieldsOf(run);
    assert(Number(moved) > 0, `${moved} subscriptions advanced`);
    const done = { companyId, through: '2026-11-01', days: 1, tickets: 3, removed: 0, erased: 0 };
    assert.deepEqual(counts, { ...done, charges: counts.charges });
    const billed = await waitForLine('period billed', { companyId });
    const period = { companyId, period: '2026-11-01', tickets: 3, charges: counts.charges };
    assert.deepEqual(fieldsOf(billed), period);
    const behind = await waitForLine('daily run finished', { companyId: other });
    assert.deepEqual([behind.days, behind.through], [2, '2026-11-01']);
  });

  it('has a line for the documents of a company', async () => {
    const { companyId } = company;
    const sum = (name: string) =>
      lines('documents written').reduce(
        (total, line) => total + Number(line.companyId === companyId ? line[name] : 0),
        0,
      );
    const { rows } = await sql<{ documents: number }>`
      select count(*) as documents from documents where company_id = ${companyId}`.execute(fixture.app.db);
    await until('all documents are written', () => sum('written') >= Number(rows[0]?.documents));
    assert.equal(sum('failed'), 0);
  });

  it('sums up the daily runs of several companies, at the latest when the worker stops', async () => {
    await stop();
    const sums = lines('daily runs finished');
    // The scheduler may have run a company of its own accord before.
    assert(sums.some(({ companies }) => Number(companies) >= 2));
    assert.equal(
      sums.reduce((total, { tickets }) => total + Number(tickets), 0),
      3,
    );
  });

  it('contains no personal data of the roster', () => {
    for (const line of fixture.app.logs) assert.doesNotMatch(line, /Muster|anna\d@|Anna/);
  });
});
