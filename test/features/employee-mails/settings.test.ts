import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sendPaced } from '../../../src/features/employee-mails/send.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { startTestApp, useApp } from '../../support/app.ts';
import { makeCompany, makeEmployee } from '../../support/factories.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { rowsOf } from '../../support/rows.ts';
import { startSmtpServer } from '../../support/smtp.ts';

describe('Settings of mails to employees', () => {
  const app = useApp();

  async function begin(role: 'admin' | 'viewer' | 'hr' = 'admin') {
    const companyId = await makeCompany(app.db);
    return { companyId, portal: await signIn(app, await makeUser(app, companyId, role)) };
  }

  it('switch kinds on and off, and set the address for answers, with an entry in the audit log', async () => {
    const { companyId, portal } = await begin();
    const { data } = (await portal.get('/settings/mails')).body;
    assert.deepEqual([data.replyTo, data.reaches], [null, 'nobody']);
    assert(data.mails.every(({ isOn }: { isOn: boolean }) => isOn));
    assert(!data.mails.some(({ kind }: { kind: string }) => kind === 'access-link'));
    const changed = await portal.post('/settings/mails', {
      replyTo: ' hr@example.com ',
      mails: [{ kind: 'ticket', isOn: false }],
    });
    assert.equal(changed.body.data.replyTo, 'hr@example.com');
    await portal.post('/settings/mails', { mails: [{ kind: 'welcome', isOn: false }] });
    const off = (await portal.get('/settings/mails')).body.data.mails.filter(({ isOn }: { isOn: boolean }) => !isOn);
    assert.deepEqual(
      off.map(({ kind }: { kind: string }) => kind),
      ['welcome', 'ticket'],
    );
    await portal.post('/settings/mails', { mails: [{ kind: 'welcome', isOn: false }] });
    const entries = await rowsOf(app.db, 'audit_log', { company_id: companyId, action: 'company.change-setting' });
    assert.deepEqual(
      entries.map(({ target }) => target),
      ['mailReplyTo', 'switchedOffMails', 'switchedOffMails'],
    );
    assert.equal((await portal.post('/settings/mails', { replyTo: '' })).body.data.replyTo, null);
  });

  it('refuse what is no address, and to switch off what everybody needs', async () => {
    const { portal } = await begin();
    for (const body of [
      { replyTo: 'nobody' },
      { replyTo: 'a@example.com, b@example.com' },
      { replyTo: 'a@example.com\r\nBcc: b@example.com' },
      { mails: [{ kind: 'access-link', isOn: false }] },
      { mails: [{ kind: 'unknown', isOn: false }] },
      { unknown: true },
    ]) {
      const { status, body: problem } = await portal.post('/settings/mails', body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(typeof problem.detail, 'string');
    }
    const { portal: viewer } = await begin('viewer');
    assert.equal((await viewer.post('/settings/mails', { replyTo: null })).status, 403);
  });

  it('show on staging what was not sent, with a link that works, to nobody of another company', async () => {
    const { companyId, portal } = await begin('hr');
    const employeeId = await makeEmployee(app.db, companyId, { first_name: 'Ada', last_name: 'Lovelace' });
    await writeCompany(app.serviceDb, companyId, (tx) =>
      app.deps.employeeMails.queue(tx, companyId, [
        { employeeId, kind: 'ticket', occasion: '2026-12', values: { month: '2026-12' } },
      ]),
    );
    await sendPaced(
      {
        ...{ db: app.serviceDb, encryption: app.encryption, queue: app.deps.queue, config: app.config },
        ...{ transport: undefined, signal: new AbortController().signal },
        report: { sent: () => {}, failed: () => {} },
      },
      companyId,
    );
    const { data } = (await portal.get('/kept-mails')).body;
    assert.equal(data.total, 1);
    const [mail] = data.mails;
    assert.equal(mail.subject, 'Ihr Ticket für Dezember');
    assert.equal(mail.employee.name, 'Ada Lovelace');
    assert.equal(mail.url, `${app.config.publicUrl}/my`);
    assert.match(mail.text, /Guten Tag Ada Lovelace,/);
    assert.equal((await portal.get(`/kept-mails?employeeId=${employeeId + 1}`)).body.data.total, 0);
    const { portal: stranger } = await begin();
    assert.deepEqual((await stranger.get('/kept-mails')).body.data, { total: 0, mails: [] });
  });

  it('limit mails to users of the portal on staging only if MAIL_ALLOW is set: the link is shown instead', async () => {
    const smtp = await startSmtpServer();
    const staging = await startTestApp({ env: { ...smtp.env, MAIL_ALLOW: '*@example.com' } });
    try {
      const admin = await signIn(staging, await makeUser(staging, await makeCompany(staging.db), 'admin'));
      const invite = async (email: string) =>
        (await admin.post('/users/invitations', { email, roles: ['viewer'] })).body.data.link;
      assert.equal(await invite('new@example.com'), null);
      assert.match(await invite('stranger@other.example'), /\/invitation\//);
      assert.deepEqual(
        (await staging.db.selectFrom('mails').select('recipient').execute()).map(({ recipient }) => recipient),
        ['new@example.com'],
      );
    } finally {
      await staging.close();
      await smtp.stop();
    }
  });
});
