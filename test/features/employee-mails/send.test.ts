import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { takeTurn } from '../../../src/features/employee-mails/pace.ts';
import { expireEmployeeMails } from '../../../src/features/employee-mails/queue.ts';
import { type EmployeeSendDeps, sendAtOnce, sendPaced } from '../../../src/features/employee-mails/send.ts';
import { claimEmployeeMail } from '../../../src/features/employee-mails/store.ts';
import { changeMailSwitches } from '../../../src/features/employee-mails/switches.ts';
import type { SentMail } from '../../../src/features/notices/send.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { openTransport } from '../../../src/platform/mail-transport/transport.ts';
import { restoreLostJobs } from '../../../src/processes/monitoring/lost-jobs.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany, makeEmployee } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { rowsOf, updateRows } from '../../support/rows.ts';
import { type SmtpOptions, startSmtpServer } from '../../support/smtp.ts';

describe('Mails to employees', () => {
  const app = useApp();
  let companyId: CompanyId;
  before(async () => {
    companyId = await makeCompany(app.db, 'Müller & Söhne');
  });

  const mails = () => app.deps.employeeMails;
  const link = (employeeId: number, occasion = 'a') => ({
    ...{ employeeId, kind: 'access-link' as const, occasion },
    values: { url: 'https://benefits.example/my/enter#T', expiresAt: '2026-12-01T11:00:00Z' },
  });
  const ticket = (employeeId: number, month = '2026-12') => ({
    ...{ employeeId, kind: 'ticket' as const, occasion: month, values: { month } },
  });
  const confirmation = (employeeId: number, occasion = '1') => ({
    ...{ employeeId, kind: 'cancellation-confirmed' as const, occasion },
    values: { by: 'employee' as const, lastTicket: '2026-12', lastDeduction: null, undoUntil: '2026-12-10' },
  });
  type Queued = Parameters<ReturnType<typeof mails>['queue']>[2];
  const queue = (some: Queued, company = companyId) =>
    writeCompany(app.serviceDb, company, (tx) => mails().queue(tx, company, some));
  const stateOf = async (employeeId: number) =>
    pluck(
      await app.db.selectFrom('employee_mails').select('state').where('employee_id', '=', employeeId).execute(),
      'state',
    );
  const makeDue = () =>
    app.db
      .updateTable('employee_mails')
      .set({ next_attempt_at: '2026-01-01' })
      .where('state', '=', 'pending')
      .execute();

  interface SendOptions extends SmtpOptions {
    config?: Partial<EmployeeSendDeps['config']>;
    company?: CompanyId;
    transport?: false;
  }

  /** Sends with a mail server of its own. Returns what it received, and what was reported. */
  async function send({ config = {}, company = companyId, transport, ...options }: SendOptions = {}) {
    const server = await startSmtpServer(options);
    const smtp = openTransport({ url: server.env.SMTP_URL, from: server.env.MAIL_FROM, requireTls: false });
    const reports: (SentMail & { code?: string; outcome?: string })[] = [];
    const deps: EmployeeSendDeps = {
      db: app.serviceDb,
      // The same key as that of the application.
      encryption: app.encryption,
      queue: app.deps.queue,
      transport: transport === false ? undefined : smtp,
      signal: new AbortController().signal,
      report: {
        sent: (one) => void reports.push(one),
        failed: (one, failure) => void reports.push({ ...one, ...failure }),
      },
      config: {
        ...{ environment: 'production', mailAllow: undefined, mailRatePerMinute: 100_000 },
        ...{ publicUrl: 'https://benefits.example' },
        ...config,
      },
    };
    try {
      await sendAtOnce(deps, company);
      await sendPaced(deps, company);
    } finally {
      smtp.close();
      await server.stop();
    }
    return { received: server.received, reports };
  }

  it("have the company's name as sender, its address for answers, the link to the page, and a stable id", async () => {
    const employeeId = await makeEmployee(app.db, companyId, { first_name: 'Ada', email: 'lovelace@example.com' });
    await updateRows(app.db, 'companies', { id: companyId }, { mail_reply_to: 'hr@mueller.example' });
    await queue([ticket(employeeId)]);
    const busy = await send({ onMessage: () => 451 });
    await makeDue();
    const { received } = await send();
    const [mail] = received;
    assert.deepEqual(mail?.to, ['lovelace@example.com']);
    assert.equal(mail?.subject, 'Ihr Ticket für Dezember');
    assert.match(
      mail?.text ?? '',
      /^From: =\?UTF-8\?Q\?M=C3=BCller_&_S=C3=B6hne\?= <benefits@example\.com>|^From: .*<benefits@example\.com>/m,
    );
    assert.match(mail?.text ?? '', /^Reply-To: hr@mueller\.example/m);
    assert.match(mail?.text ?? '', /https:\/\/benefits\.example\/my\b/);
    assert.match(mail?.text ?? '', /^Content-Type: text\/html/m);
    assert.equal(mail?.messageId, busy.received[0]?.messageId);
    assert.deepEqual(await stateOf(employeeId), ['sent']);
    assert.equal((await send()).received.length, 0);
  });

  it('can be unsubscribed by one click, only those that are not needed', async () => {
    const employeeId = await makeEmployee(app.db, companyId);
    await queue([ticket(employeeId), confirmation(employeeId), link(employeeId)]);
    const { received } = await send();
    const headers = received
      .toSorted((a, b) => a.subject.localeCompare(b.subject))
      .map(({ subject, text }) => [subject, /^List-Unsubscribe:\s+<(\S+)>/m.exec(text)?.[1]] as const);
    assert.deepEqual(
      headers.map(([subject, url]) => [subject, url !== undefined]),
      [
        ['Ihr Jobticket endet', false],
        ['Ihr Link zum Jobticket', false],
        ['Ihr Ticket für Dezember', true],
      ],
    );
    const text = received.find(({ subject }) => subject.includes('Ticket für'))?.text ?? '';
    assert.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    const path = new URL(headers.at(-1)?.[1] ?? '').pathname;
    const { origin } = new URL(app.url);
    const open = (init: RequestInit = {}, at = path) =>
      fetch(origin + at, { ...init, headers: { accept: 'text/html', ...init.headers } });
    const switchedOff = async () =>
      (await rowsOf(app.db, 'employees', { id: employeeId }, ['switched_off_mails']))[0]?.switched_off_mails;

    const shown = await open();
    assert.equal(shown.status, 200);
    assert.match(await shown.text(), /<form method="post">/);
    assert.match(shown.headers.get('content-security-policy') ?? '', /form-action 'self'/);
    assert.deepEqual(await switchedOff(), [], 'opening it changes nothing');
    for (const _ of [1, 2]) {
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      assert.equal((await open({ method: 'POST', body })).status, 200);
    }
    assert.deepEqual(await switchedOff(), ['ticket']);
    const entries = await rowsOf(app.db, 'audit_log', { action: 'employee.change-mails', actor: String(employeeId) });
    assert.equal(entries.length, 1);
    await queue([ticket(employeeId, '2027-01')]);
    assert.equal((await send()).received.length, 0);

    const [company = '', token = ''] =
      path
        .split('/')
        .at(-1)
        ?.split(/\.(.*)/s) ?? [];
    for (const wrong of [`/unsubscribe/${Number(company) + 1}.${token}`, '/unsubscribe/x', path.slice(0, -4)]) {
      assert.equal((await open({ method: 'POST', body: '' }, wrong)).status, 404, wrong);
    }
    assert.equal((await open({ method: 'POST', body: 'x'.repeat(10_000) })).status, 413);
    assert(app.logs.every((line) => !line.includes(token)));
  });

  it('are cancelled by a new address, and optional ones by removal or a switch', async () => {
    const make = () => makeEmployee(app.db, companyId);
    const [moved, removed, declining, current] = [await make(), await make(), await make(), await make()];
    await queue([link(moved), ticket(removed), confirmation(removed), ticket(declining), ticket(current)]);
    await updateRows(app.db, 'employees', { id: moved }, { email: 'new@example.com' });
    await updateRows(app.db, 'employees', { id: removed }, { removed_at: '2026-01-01' });
    await writeCompany(app.serviceDb, companyId, (tx) =>
      changeMailSwitches(tx, companyId, declining, [{ kind: 'ticket', isOn: false }]),
    );
    const { received, reports } = await send();
    assert.deepEqual(received.map(({ subject }) => subject).sort(), ['Ihr Jobticket endet', 'Ihr Ticket für Dezember']);
    const codes = reports.filter(({ outcome }) => outcome === 'cancelled').map(({ code }) => code);
    assert.deepEqual(codes.sort(), ['new-address', 'removed', 'switched-off']);
  });

  it('go to nobody on staging but to addresses that are allowed, and are kept', async () => {
    const employees = ['Ada.B@example.com', 'bo@sub.example.com', 'test@other.example', 'cy@other.example'];
    const ids = await Promise.all(employees.map((email) => makeEmployee(app.db, companyId, { email })));
    const config = { environment: 'staging', mailAllow: ['*@example.com', 'test@other.example'] } as const;
    await queue(ids.map((id) => link(id)));
    const { received, reports } = await send({ config });
    assert.deepEqual(received.flatMap(({ to }) => to).sort(), ['Ada.B@example.com', 'test@other.example']);
    assert.deepEqual(
      pluck(
        reports.filter(({ outcome }) => outcome === 'not-sent'),
        'code',
      ),
      ['not-allowed', 'not-allowed'],
    );
    const kept = await app.db
      .selectFrom('employee_mails')
      .select('encrypted_values as values')
      .where('state', '=', 'not-sent')
      .execute();
    assert(kept.every(({ values }) => values !== null));

    await queue(ids.map((id) => link(id, 'b')));
    assert.equal((await send({ config: { environment: 'staging' } })).received.length, 0, 'without a list to nobody');
    await queue(ids.map((id) => link(id, 'c')));
    const none = await send({ config, transport: false });
    assert.deepEqual(new Set(pluck(none.reports, 'outcome')), new Set(['not-sent']), 'also without a mail server');
    await queue(ids.map((id) => link(id, 'd')));
    const waiting = await send({ transport: false });
    assert.deepEqual([waiting.received.length, waiting.reports.length], [0, 0], 'in production they wait for one');
    assert.equal((await send()).received.length, 4);
  });

  it('that are urgent go first, and an expired one is not sent', async () => {
    const [a, b] = [await makeEmployee(app.db, companyId), await makeEmployee(app.db, companyId)];
    await queue([ticket(a)]);
    await queue([confirmation(b)]);
    await queue([{ ...ticket(b), expiresAt: Temporal.Now.instant().subtract({ seconds: 1 }) }]);
    await queue([link(b)]);
    const first = await claimEmployeeMail(app.serviceDb, companyId, 'paced');
    assert.equal(first?.kind, 'cancellation-confirmed');
    const { received, reports } = await send();
    assert.equal(received[0]?.subject, 'Ihr Link zum Jobticket');
    assert.equal(received.length, 2, 'a claimed mail belongs to its worker until the lease ends');
    assert.deepEqual(
      pluck(
        reports.filter(({ code }) => code !== undefined),
        'outcome',
      ),
      ['expired'],
    );
    await makeDue();
    assert.equal((await send()).received.length, 1);
  });

  it('are sent at one rate by all workers together', async () => {
    await app.db.deleteFrom('mail_pace').execute();
    const { signal } = new AbortController();
    const start = performance.now();
    await Promise.all([1, 2, 3].map(() => takeTurn(app.serviceDb, 10, 1_200, signal)));
    // Each turn takes half a second, so the third begins after one.
    assert(performance.now() - start >= 900, `${performance.now() - start} ms`);
    const waiting = new AbortController();
    await app.db.updateTable('mail_pace').set({ free_at: sql`now() + interval '1 hour'` }).execute();
    const turn = takeTurn(app.serviceDb, 1, 60, waiting.signal);
    waiting.abort();
    await assert.rejects(turn, { name: 'AbortError' });
    await app.db.deleteFrom('mail_pace').execute();
  });

  it('of another company are not touched, and those without a job get one again', async () => {
    const other = await makeCompany(app.db);
    const employeeId = await makeEmployee(app.db, other);
    await queue([ticket(employeeId), link(employeeId)], other);
    assert.equal((await send()).received.length, 0);
    await sql`delete from queue.job where name like 'send-%'`.execute(app.db);
    assert.equal((await restoreLostJobs(app.serviceDb, app.deps.queue)).restored, 0, 'no loss is reported');
    const { rows } = await sql<{ name: string }>`
      select name from queue.job where data->>'companyId' = ${String(other)} and state <= 'active' order by name`.execute(
      app.db,
    );
    assert.deepEqual(pluck(rows, 'name'), ['send-employee-mails', 'send-mails']);
    assert.equal((await send({ company: other })).received.length, 2);
  });

  it('are deleted sixty days later, and with their employee', async () => {
    const [old, erased] = [await makeEmployee(app.db, companyId), await makeEmployee(app.db, companyId)];
    await queue([ticket(old), ticket(erased)]);
    await send();
    await updateRows(
      app.db,
      'employee_mails',
      { employee_id: old },
      { finished_at: new Date(Date.now() - 61 * 86_400_000).toISOString() },
    );
    await writeCompany(app.serviceDb, companyId, (tx) => expireEmployeeMails(tx, companyId));
    assert.deepEqual(await stateOf(old), []);
    assert.deepEqual(await stateOf(erased), ['sent']);
    await app.db.deleteFrom('employees').where('id', '=', erased).execute();
    assert.deepEqual(await stateOf(erased), []);
  });
});
