import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { cancelMails, createMail, eraseMails, type NewMail } from '../../../src/features/notices/queue.ts';
import { claimMail, type SendDeps, type SentMail, sendMails } from '../../../src/features/notices/send.ts';
import { createEncryption } from '../../../src/platform/crypto/encryption.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { openTransport } from '../../../src/platform/mail-transport/transport.ts';
import { restoreLostJobs } from '../../../src/processes/monitoring/lost-jobs.ts';
import { startTestApp, useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { rowOf, updateRows } from '../../support/rows.ts';
import { type SmtpOptions, startSmtpServer } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

const encryption = createEncryption('a secret of at least thirty-two characters');
const publicUrl = 'https://benefits.example.com';

describe('mails', () => {
  const app = useApp();
  let companyId: CompanyId;
  before(async () => {
    companyId = await makeCompany(app.db);
  });

  const mail = () => createMail({ isConfigured: true, encryption, queue: app.deps.queue });
  const invitation = (key: string, to = 'ada@example.com'): NewMail<'invitation'> => ({
    companyId,
    key,
    to,
    language: 'de',
    template: 'invitation',
    values: {
      company: 'Müller & Söhne',
      inviter: 'Jürgen <b>',
      url: `${publicUrl}/invitation#${key}`,
      expires: { at: '2026-12-01T11:00:00Z', timeZone: 'Europe/Berlin' },
    },
  });
  const queueOne = (one: NewMail<'invitation'>) =>
    writeCompany(app.serviceDb, companyId, (tx) => mail().queueMail(tx, one));
  const mailOf = (key: string) => rowOf(app.db, 'mails', { company_id: companyId, key });
  const makeDue = () =>
    app.db.updateTable('mails').set({ next_attempt_at: '2026-01-01' }).where('state', '=', 'pending').execute();

  /** Sends with a mail server of its own. Returns what it received, and what was reported. */
  async function send(options: SmtpOptions = {}, changes: Partial<SendDeps> = {}) {
    const server = await startSmtpServer(options);
    const transport = openTransport({ url: server.env.SMTP_URL, from: server.env.MAIL_FROM, requireTls: false });
    const reports: (SentMail & { code?: string; outcome?: string })[] = [];
    const report = {
      sent: (one: SentMail) => void reports.push(one),
      failed: (one: SentMail, failure: object) => void reports.push({ ...one, ...failure }),
    };
    const { signal } = new AbortController();
    try {
      await sendMails({ db: app.serviceDb, encryption, publicUrl, transport, report, signal, ...changes }, companyId);
    } finally {
      transport.close();
      await server.stop();
    }
    return { received: server.received, reports };
  }

  it('writes one mail per key, in the transaction of the change, and sends it once as text and HTML', async () => {
    await assert.rejects(
      writeCompany(app.serviceDb, companyId, async (tx) => {
        await mail().queueMail(tx, invitation('undone'));
        throw new Error('the change fails');
      }),
    );
    assert.equal(await queueOne(invitation('once')), true);
    assert.equal(await queueOne(invitation('once', 'eve@example.com')), false);
    const [first, second] = await Promise.all([send(), send()]);
    const received = [...first.received, ...second.received];
    assert.deepEqual(pluck(received, 'to', 'subject'), [
      [['ada@example.com'], 'Einladung in das Portal von Müller & Söhne'],
    ]);
    const [{ text = '', from } = {}] = received;
    assert.equal(from, 'benefits@example.com');
    assert.match(text, /Jürgen <b> lädt Sie in das Jobticket-Portal von Müller & Söhne ein/);
    assert.match(text, /Jürgen &lt;b&gt; lädt Sie/);
    assert.match(text, /bis zum 1. Dezember 2026 um 12:00/);
    assert.match(text, /Auto-Submitted: auto-generated/);
    const { state, encrypted_values, attempts } = await mailOf('once');
    assert.deepEqual([state, encrypted_values, attempts], ['sent', null, 1]);
  });

  it('stores no link in clear text while a mail waits', async () => {
    await queueOne(invitation('sealed'));
    const row = JSON.stringify(await mailOf('sealed'));
    assert.doesNotMatch(row, /invitation#sealed|Müller/);
    await send();
  });

  it('keeps a mail that SECRET does not decrypt for later, and sends the others', async () => {
    const foreign = createMail({
      isConfigured: true,
      encryption: createEncryption('another secret of at least thirty-two characters'),
      queue: app.deps.queue,
    });
    await writeCompany(app.serviceDb, companyId, (tx) => foreign.queueMail(tx, invitation('foreign')));
    await queueOne(invitation('readable'));
    const { received, reports } = await send();
    assert.equal(received.length, 1);
    assert.deepEqual(pluck(reports, 'mail', 'outcome', 'code').sort(), [
      ['foreign', 'retried', 'SECRET_CHANGED'],
      ['readable', undefined, undefined],
    ]);
    assert.equal((await mailOf('foreign')).state, 'pending');
    await app.db.deleteFrom('mails').where('key', '=', 'foreign').where('company_id', '=', companyId).execute();
  });

  it('repeats a mail that the server could not take, with the same Message-ID', async () => {
    await queueOne(invitation('later'));
    const busy = await send({ onMessage: () => 451 });
    assert.deepEqual(pluck(busy.reports, 'code', 'outcome'), [['EMESSAGE 451', 'retried']]);
    assert.equal((await send()).received.length, 0, 'it is not due yet');
    await makeDue();
    const { received } = await send();
    assert.equal(received[0]?.messageId, busy.received[0]?.messageId);
    assert.match(received[0]?.messageId ?? '', /^<[0-9a-f]{40}@benefits\.example\.com>$/);
    assert.equal((await mailOf('later')).attempts, 2);
  });

  it('gives up on an address that the server refuses, and goes on with the next mail', async () => {
    await queueOne(invitation('a-gone', 'gone@example.com'));
    await queueOne(invitation('b-here'));
    const { received, reports } = await send({ onRecipient: (to) => (to === 'gone@example.com' ? 550 : undefined) });
    assert.deepEqual(pluck(received, 'to'), [['ada@example.com']]);
    assert.deepEqual(pluck(reports, 'mail', 'outcome'), [
      ['a-gone', 'failed'],
      ['b-here', undefined],
    ]);
    const { state, last_error, encrypted_values } = await mailOf('a-gone');
    assert.deepEqual([state, last_error, encrypted_values], ['failed', 'EENVELOPE 550', null]);
  });

  it('keeps mails while the server is unreachable, and tries with one of them only', async () => {
    await queueOne(invitation('down-1'));
    await queueOne(invitation('down-2'));
    const transport = openTransport({ url: 'smtp://127.0.0.1:1', from: 'a@example.com', requireTls: false });
    const { reports } = await send({}, { transport });
    assert.deepEqual(pluck(reports, 'outcome'), ['retried']);
    await makeDue();
    assert.equal((await send()).received.length, 2);
  });

  it('sends a mail again if a worker ended without a result, and only then', async () => {
    await queueOne(invitation('killed'));
    assert.equal((await claimMail(app.serviceDb, companyId))?.key, 'killed');
    assert.equal((await send()).received.length, 0, 'the lease has not ended');
    await makeDue();
    assert.equal((await send()).received.length, 1);
    assert.equal((await mailOf('killed')).attempts, 2);
  });

  it('does not send what has expired or was cancelled', async () => {
    await queueOne({ ...invitation('old'), expiresAt: Temporal.Now.instant().subtract({ seconds: 1 }) });
    await queueOne(invitation('withdrawn'));
    await queueOne(invitation('left', 'left@example.com'));
    await writeCompany(app.serviceDb, companyId, async (tx) => {
      await cancelMails(tx, companyId, { key: 'withdrawn' });
      await cancelMails(tx, companyId, { recipient: 'left@example.com' });
    });
    const { received, reports } = await send();
    assert.equal(received.length, 0);
    assert.deepEqual(pluck(reports, 'outcome'), ['expired']);
    const { state, recipient } = await mailOf('left');
    assert.deepEqual([state, recipient], ['cancelled', null]);
  });

  it('forgets addresses after thirty days', async () => {
    await queueOne(invitation('forgotten'));
    await send();
    await updateRows(
      app.db,
      'mails',
      { key: 'forgotten' },
      { finished_at: new Date(Date.now() - 31 * 86_400_000).toISOString() },
    );
    await writeCompany(app.serviceDb, companyId, (tx) => eraseMails(tx, companyId));
    assert.equal((await mailOf('forgotten')).recipient, null);
    assert.equal((await mailOf('once')).recipient, 'ada@example.com');
  });

  it('gets a job again if its job was lost', async () => {
    await queueOne(invitation('lost'));
    const jobs = () => sql`select from queue.job where name = 'send-mails' and state <= 'active'`.execute(app.db);
    await sql`delete from queue.job where name = 'send-mails'`.execute(app.db);
    assert.equal((await restoreLostJobs(app.serviceDb, app.deps.queue)).restored, 0, 'no loss is reported');
    assert.equal((await jobs()).rows.length, 1);
    await send();
  });

  it('is sent by the worker', async () => {
    const server = await startSmtpServer();
    const running = await startTestApp({ env: server.env, worker: 'without documents' });
    try {
      const id = await makeCompany(running.db);
      await writeCompany(running.serviceDb, id, (tx) =>
        running.mail.queueMail(tx, { ...invitation('work'), companyId: id }),
      );
      await until('the mail has arrived', () => server.received.length === 1);
      await until('it is logged', () => running.logs.some((line) => line.includes('"mail sent"')));
      assert.ok(running.logs.every((line) => !line.includes('ada@example.com')));
    } finally {
      await running.close();
      await server.stop();
    }
  });

  it('is not written without a mail server', async () => {
    const none = createMail({ isConfigured: false, encryption, queue: app.deps.queue });
    assert.equal(await writeCompany(app.serviceDb, companyId, (tx) => none.queueMail(tx, invitation('none'))), false);
  });
});
