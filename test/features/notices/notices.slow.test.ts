import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { noNotices } from '../../../src/features/notices/notices.ts';
import type { NoticeName } from '../../../src/features/notices/rules/notices.ts';
import { recordFailure } from '../../../src/features/roster/outcome.ts';
import { reportOverdueRosters } from '../../../src/features/roster/overdue.ts';
import { recordResults } from '../../../src/features/webhooks/record.ts';
import { startTestApp } from '../../support/app.ts';
import { movableClock } from '../../support/clock.ts';
import { type Fixture, joinCompany, type TestCompany } from '../../support/daily-run.ts';
import { makeKey } from '../../support/factories.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { useEach } from '../../support/prepare.ts';
import { updateRows } from '../../support/rows.ts';
import { startSmtpServer } from '../../support/smtp.ts';
import { entries } from '../../support/sync.ts';
import { until } from '../../support/until.ts';
import { makeEndpoint } from '../../support/webhooks.ts';

const gone = {
  ...{ sequence: 1, eventId: 'evt', eventType: 'webhook-test', attempts: 0, failures: 1, responseBody: '' },
  ...{ attemptedAt: '2026-01-15T12:00:00Z', status: 410, error: 'gone', durationMs: 1, retryInMillis: undefined },
};

describe('notices by mail', () => {
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
  let fixture: Fixture;
  before(async () => {
    smtp = await startSmtpServer();
    const clock = movableClock('2026-01-15');
    const app = await startTestApp({ worker: 'without documents', clock, env: smtp.env });
    fixture = { app, clock, close: app.close };
  });
  after(async () => {
    await fixture.close();
    await smtp.stop();
  });

  /** Creates a company with a user of each role; the admin reads English. */
  async function begin() {
    const { app, clock } = fixture;
    clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture, { guard_minimum_linked: 10 });
    const make = (role: 'admin' | 'hr' | 'developer' | 'payroll' | 'viewer') => makeUser(app, company.companyId, role);
    const users = {
      ...{ admin: await make('admin'), hr: await make('hr'), developer: await make('developer') },
      ...{ payroll: await make('payroll'), viewer: await make('viewer') },
    };
    const admin = await signIn(app, users.admin);
    await admin.post('/me/language', { language: 'en' });
    return { company, users, admin };
  }
  type Begun = Awaited<ReturnType<typeof begin>>;

  /** Waits until all mails of a company are sent. Returns what each role has received. */
  async function receivedBy({ company, users }: Begun): Promise<Record<string, string[]>> {
    await until('all mails are sent', async () => {
      const mails = fixture.app.db.selectFrom('mails').select('key').where('company_id', '=', company.companyId);
      return (await mails.where('state', '=', 'pending').execute()).length === 0;
    });
    const of = (email: string) => smtp.received.filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
    const lists = Object.entries(users).map(([role, { email }]) => [role, of(email)] as const);
    return Object.fromEntries(lists.filter(([, subjects]) => subjects.length > 0));
  }
  const rolesOf = (received: Record<string, string[]>) => {
    for (const subjects of Object.values(received)) assert.equal(subjects.length, 1, JSON.stringify(received));
    return Object.keys(received);
  };

  const failSync = ({ companyId, integrationId }: TestCompany, notices = fixture.app.deps.notices) => {
    const sync = { syncKey: 0, syncId: 'lost', pushedBy: 'key', userId: null, attempts: 2 } as const;
    return recordFailure(fixture.app.serviceDb, {
      notices,
      target: { companyId, hrIntegrationId: integrationId },
      sync: { ...sync, requestId: null, acceptedAt: '', entries: 1 },
      error: new Error('on purpose'),
      now: fixture.clock.now(),
    });
  };

  const begun = useEach(() => begin());

  it('report removals that wait once, also if the same roster arrives again', async () => {
    await begun.company.sync('one', entries(10));
    await begun.company.sync('two', entries(5));
    await begun.company.sync('three', entries(5));
    const received = await receivedBy(begun);
    assert.deepEqual(rolesOf(received), ['admin', 'hr']);
    assert.match(received.admin?.[0] ?? '', /: 5 removals wait for approval$/);
    assert.match(received.hr?.[0] ?? '', /: 5 Abmeldungen warten auf Freigabe$/);
    const { text = '' } = smtp.received.find(({ to }) => to.includes(begun.users.hr.email)) ?? {};
    assert.match(text, new RegExp(`/integrations/${begun.company.integrationId}/syncs/two`));
  });

  it('tell once of syncs that fail, until a roster is applied', async () => {
    await failSync(begun.company);
    await failSync(begun.company);
    assert.deepEqual(rolesOf(await receivedBy(begun)), ['admin', 'hr', 'developer']);
    await begun.company.sync('one', entries(1));
    await failSync(begun.company);
    assert.equal((await receivedBy(begun)).admin?.length, 2);
  });

  it('tell once of a roster that is overdue', async () => {
    const { app, clock } = fixture;
    await begun.company.sync('one', entries(1));
    await updateRows(
      app.db,
      'hr_integrations',
      { company_id: begun.company.companyId },
      { roster_due_at: clock.now().toString() },
    );
    const report = () => reportOverdueRosters({ db: app.serviceDb, clock, notices: app.deps.notices });
    await Promise.all([report(), report()]);
    assert.deepEqual(rolesOf(await receivedBy(begun)), ['admin', 'hr', 'developer']);
  });

  it('tell once of an API key that ends within 14 days', async () => {
    const { companyId } = begun.company;
    const inDays = (days: number) => Temporal.Now.instant().add({ hours: 24 * days });
    await makeKey(fixture.app.db, companyId, ['view-billing'], inDays(13));
    await makeKey(fixture.app.db, companyId, ['view-billing'], inDays(15));
    await begun.company.runTo('2026-01-17');
    const received = await receivedBy(begun);
    assert.deepEqual(rolesOf(received), ['admin', 'developer']);
    assert.match(received.admin?.[0] ?? '', /the API key "Test key" expires soon/);
  });

  it('tell once of a webhook that the service switches off', async () => {
    const { app } = fixture;
    const key = await makeEndpoint(app.serviceDb, begun.company.companyId);
    const record = () => recordResults({ db: app.serviceDb, notices: app.deps.notices }, key, [gone]);
    assert.equal(await record(), 'gone');
    assert.equal(await record(), 'gone');
    assert.deepEqual(rolesOf(await receivedBy(begun)), ['admin', 'developer']);
  });

  it('tell once of a month that was billed', async () => {
    await begun.company.sync('one', entries(1, { autoSyncEmployee: true }));
    await begun.company.runTo('2026-02-02');
    const received = await receivedBy(begun);
    assert.deepEqual(rolesOf(received), ['admin', 'payroll']);
    assert.match(received.admin?.[0] ?? '', /: February 2026 was billed$/);
    assert.match(received.payroll?.[0] ?? '', /: Februar 2026 wurde abgerechnet$/);
  });

  it('are not sent to users who have switched them off, and each can be switched', async () => {
    const change = (notice: NoticeName, isOn: boolean) => begun.admin.post('/me/notices', { notice, isOn });
    for (const isOn of [false, true, false, false]) {
      assert.equal((await change('sync-failed', isOn)).status, 204);
    }
    const { data } = (await begun.admin.get('/me/notices')).body;
    assert.equal(data.isMailConfigured, true);
    assert.deepEqual(
      data.notices.map(({ notice, isOn }: { notice: string; isOn: boolean }) => `${notice} ${isOn ? 'on' : 'off'}`),
      [
        ...['removals-waiting on', 'sync-failed off', 'roster-overdue on', 'key-expiring on'],
        ...['webhook-disabled on', 'ticket-differences on', 'month-billed on', 'price-changes on'],
      ],
    );
    await failSync(begun.company);
    assert.deepEqual(rolesOf(await receivedBy(begun)), ['hr', 'developer']);
    const viewer = await signIn(fixture.app, begun.users.viewer);
    assert.deepEqual((await viewer.get('/me/notices')).body.data.notices, []);
  });

  it('are not written without a mail server', async () => {
    await failSync(begun.company, noNotices);
    assert.deepEqual(await receivedBy(begun), {});
  });
});
