import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { issueUnbilledTickets, makeSubscribers } from '../../../harness/subscribers.ts';
import { firstOfMonth } from '../../../src/domain/calendar.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Serving, work } from '../../support/process.ts';
import { type ReceivedMail, startSmtpServer } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

const count = 120;
/** The most mails that a worker has in its hands at once: one per connection to the mail server. */
const inHand = 4;

describe('ticket mails whose worker is killed', () => {
  let app: TestApp;
  let folder: string;
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
  const env: Record<string, string> = { SECRET: randomBytes(16).toString('hex'), MAIL_ALLOW: '*@example.com' };
  const workers: Serving[] = [];
  /** What the mail server has taken. What it was still receiving when the worker died does not count. */
  let accepted: ReceivedMail[] = [];
  /** Called before the server takes a mail. */
  let beforeAccepting = async (): Promise<void> => {};

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transit-killed-mails-'));
    smtp = await startSmtpServer({
      async onMessage(mail) {
        await beforeAccepting();
        accepted.push(mail);
        return undefined;
      },
    });
    app = await startTestApp({ env: { ...env, ...smtp.env } });
    Object.assign(env, smtp.env, { DATABASE_URL: app.databaseUrl, DATA_DIR: folder, DEMO: 'off' });
  });
  after(async () => {
    for (const worker of workers) await worker.end('SIGKILL');
    await smtp.stop();
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Issues tickets to the employees of a new company. The first worker writes and sends the mails about them. */
  async function issueTickets(): Promise<CompanyId> {
    accepted = [];
    const today = Temporal.Now.plainDateISO('Europe/Berlin');
    const month = firstOfMonth(today);
    const subscribers = { count, startOn: month, status: 'active', processedThrough: today } as const;
    const companyId = await makeSubscribers(app.db, subscribers);
    await issueUnbilledTickets(app.db, companyId, month);
    await writeCompany(app.serviceDb, companyId, (tx) => app.deps.employeeMails.enqueueTickets(tx, companyId, month));
    return companyId;
  }

  const startWorker = async () => {
    const worker = await work({ env });
    workers.push(worker);
    return worker;
  };
  const countSent = async (companyId: CompanyId) => {
    const { rows } = await sql<{ state: string; mails: number }>`
      select state, count(*) as mails from employee_mails where company_id = ${companyId} group by 1`.execute(app.db);
    return Object.fromEntries(rows.map(({ state, mails }) => [state, mails]));
  };

  /** Lets another worker send what is left. It need not wait until the claims of the killed one end. */
  async function sendTheRest(companyId: CompanyId): Promise<void> {
    beforeAccepting = async () => {};
    const claimed = { next_attempt_at: '2026-01-01' };
    await app.db.updateTable('employee_mails').set(claimed).where('state', '=', 'pending').execute();
    const worker = await startWorker();
    await until('all mails are sent', async () => (await countSent(companyId)).sent === count);
    await worker.end('SIGTERM');
    const everybody = new Set(accepted.map(({ to }) => to.join()));
    assert.equal(everybody.size, count, 'everybody has got one');
    const different = new Set(accepted.map(({ messageId }) => messageId));
    assert.equal(different.size, count, 'a mail has the same id with every attempt');
  }

  it('while the mail server receives some of them, are sent by the next worker, each once', async () => {
    const companyId = await issueTickets();
    let begun = 0;
    beforeAccepting = async () => {
      if (accepted.length < 30) return;
      begun += 1;
      await Promise.withResolvers().promise;
    };
    const worker = await startWorker();
    await until('mails are in the hands of the worker', () => begun === inHand);
    await until('those before are recorded', async () => (await countSent(companyId)).sent === accepted.length);
    await worker.end('SIGKILL');
    await sendTheRest(companyId);
    assert.equal(accepted.length, count);
  });

  it('after the mail server has taken some that could not be recorded, are sent once, except those', async () => {
    const companyId = await issueTickets();
    const blocker = await app.db.startTransaction().execute();
    let locked: Promise<unknown> | undefined;
    beforeAccepting = async () => {
      if (accepted.length < 30) return;
      locked ??= sql`lock table employee_mails in share row exclusive mode`.execute(blocker);
      await locked;
    };
    const worker = await startWorker();
    await until('nothing can be recorded', async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_locks l join pg_class c on c.oid = l.relation
        where c.relname = 'employee_mails' and not l.granted`.execute(app.db);
      return (rows[0]?.waiting ?? 0) >= inHand;
    });
    await worker.end('SIGKILL');
    // Otherwise the database would finish what it has received before the worker died.
    await sql`select pg_terminate_backend(l.pid) from pg_locks l join pg_class c on c.oid = l.relation
      where c.relname = 'employee_mails' and not l.granted`.execute(app.db);
    await blocker.rollback().execute();
    const unrecorded = accepted.length - ((await countSent(companyId)).sent ?? 0);
    assert(unrecorded >= 1 && unrecorded <= inHand, `${unrecorded} mails`);
    await sendTheRest(companyId);
    assert.equal(accepted.length, count + unrecorded);
  });
});
