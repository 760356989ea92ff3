import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startWorkerProcess } from '../../../harness/processes.ts';
import {
  issueUnbilledTickets,
  makeSubscribers,
  untilNoLockIsLeft,
  verifyBilled,
  verifyStarted,
} from '../../../harness/subscribers.ts';
import { createRandom, type Random } from '../../../src/operator/demo/random.ts';
import { type CompanyId, ofCompany } from '../../../src/platform/db/company-scope.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { openQueue } from '../../../src/platform/jobs/queue.ts';
import { compareFiles } from '../../../torture/support/verify.ts';
import { createTestDatabase } from '../../support/database.ts';
import { comingFirst, moveEnvironmentTo } from '../../support/environment.ts';
import { withFolder } from '../../support/process.ts';
import { seed } from '../../support/seed.ts';
import { until } from '../../support/until.ts';
import { killSomeOf, runAlone, type ServicePlace } from './killed-commands.ts';

interface KillTest extends ServicePlace {
  db: Db;
  random: Random;
}

async function withContext(work: (context: KillTest) => Promise<void>): Promise<void> {
  await using database = await createTestDatabase();
  await withFolder(async (folder) => {
    const place = { databaseUrl: database.url, folder };
    // Compile the program before eight processes start at once: a killed process leaves no compiled code behind.
    await runAlone(['lifecycle', 'run'], place);
    await work({ ...place, db: database.db, random: createRandom(seed) });
  });
}

/**
 * Starts eight processes and kills all of them. Then repeats rounds in which some survive, until the command finds
 * nothing left to do. Returns how many processes were killed at work.
 */
async function killUntilDone(
  context: KillTest & { companyId: CompanyId },
  args: string[],
  withinMs: number,
  isDone: (printed: Record<string, unknown>) => boolean,
): Promise<number> {
  let killed = 0;
  for (let round = 1; ; round++) {
    const kills = round === 1 ? { processes: 8, count: 8 } : { processes: 5, count: context.random.int(1, 4) };
    const { killedAtWork, survivors } = await killSomeOf(args, context, context, { ...kills, withinMs });
    killed += killedAtWork;
    for (const { code, stderr } of survivors) assert.deepEqual([code, stderr], [0, '']);
    if (round > 1 && isDone(await runAlone(args, context))) return killed;
  }
}

const employees = 10_000;

describe('A process killed in the middle of its work', () => {
  it('the daily run processes each day once', (t) =>
    withContext(async (context) => {
      const { db } = context;
      const first = comingFirst();
      const today = first.add({ days: 1 });
      await moveEnvironmentTo(db, today);
      const companyId = await makeSubscribers(db, {
        count: employees,
        startOn: first,
        status: 'scheduled',
        processedThrough: first.subtract({ days: 3 }),
      });
      const isDone = (printed: Record<string, unknown>) => printed.days === 0;
      const killed = await killUntilDone({ ...context, companyId }, ['lifecycle', 'run'], 400, isDone);
      t.diagnostic(`${killed} killed during a daily run`);
      assert(killed > 0);
      await verifyBilled(db, companyId, first, employees);
      await verifyStarted(db, companyId, { first, count: employees, today });
      const { rows: jobs } = await sql`
        select data->>'month' as month from queue.job where name = 'write-documents'
        and (data->>'companyId')::bigint = ${companyId}`.execute(db);
      assert.deepEqual(
        jobs,
        [{ month: first.toString() }],
        'the job that writes the confirmations was stored with the tickets',
      );
      await untilNoLockIsLeft(db);
    }));

  it('the billing run charges each ticket once', (t) =>
    withContext(async (context) => {
      const { db } = context;
      const first = comingFirst();
      await moveEnvironmentTo(db, first);
      const companyId = await makeSubscribers(db, {
        count: employees,
        startOn: first,
        status: 'active',
        processedThrough: first,
      });
      await issueUnbilledTickets(db, companyId, first);
      const args = ['billing', 'run', '--company', String(companyId), '--period', first.toString()];
      const killed = await killUntilDone({ ...context, companyId }, args, 150, ({ items }) => items === 0);
      t.diagnostic(`${killed} killed while they billed`);
      assert(killed > 0);
      await verifyBilled(db, companyId, first, employees);
      await untilNoLockIsLeft(db);
    }));

  it('the documents that a worker leaves are finished by the next one', (t) =>
    withContext(async (context) => {
      const { db, databaseUrl, folder, random } = context;
      const first = comingFirst();
      await moveEnvironmentTo(db, first);
      const count = 300;
      const companyId = await makeSubscribers(db, { count, startOn: first, status: 'active', processedThrough: first });
      await issueUnbilledTickets(db, companyId, first);
      await runAlone(['billing', 'run', '--company', String(companyId), '--period', first.toString()], context);
      const queue = await openQueue({ url: databaseUrl, worker: false, log: pino({ level: 'silent' }) });
      await db.transaction().execute((tx) => queue.enqueueDocuments(tx, companyId, first.toString()));
      await queue.stop();

      const atLeast = random.int(1, count / 2);
      const victim = await startWorkerProcess(databaseUrl, folder);
      await until('some documents are stored', async () => (await countStored(db, companyId)) >= atLeast);
      await sleep(random.int(0, 100));
      await victim.end('SIGKILL');
      const before = await countStored(db, companyId);
      t.diagnostic(`killed after ${before} of ${count} documents`);
      const next = await startWorkerProcess(databaseUrl, folder);
      await until('all documents are stored', async () => (await countStored(db, companyId)) === count);
      await next.end('SIGTERM');
      await verifyStore(db, companyId, join(folder, 'documents'), count);
      await untilNoLockIsLeft(db);
    }));
});

async function countStored(db: Db, companyId: CompanyId): Promise<number> {
  const { rows } = await sql<{ stored: number }>`
    select count(*) as stored from documents d where ${ofCompany(companyId, 'd')} and d.sha256 is not null`.execute(db);
  return rows[0]?.stored ?? 0;
}

/**
 * Throws unless each employee has one confirmation, each confirmation has its own file as recorded, and every file
 * belongs to a confirmation.
 */
async function verifyStore(db: Db, companyId: CompanyId, store: string, count: number): Promise<void> {
  const { rows } = await sql`
    select count(*) as documents, count(distinct d.employee_id) as employees from documents d
    where ${ofCompany(companyId, 'd')} and d.content is null and d.kind = 'ticket-confirmation'`.execute(db);
  assert.deepEqual(rows, [{ documents: count, employees: count }]);
  assert.deepEqual(await compareFiles(db, store), { intact: count, missing: [], unknown: 0 });
  const { rows: stored } = await sql`
    select c.documents from document_counts c where ${ofCompany(companyId, 'c')}`.execute(db);
  assert.deepEqual(stored, [{ documents: count }]);
}
