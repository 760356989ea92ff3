import { pino } from 'pino';
import { operator } from '../domain/actor.ts';
import { openClock, readNow } from '../platform/clock/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { OperatorError } from '../platform/config/operator-error.ts';
import { openEncryption } from '../platform/crypto/open-encryption.ts';
import type { CompanyId } from '../platform/db/company-scope.ts';
import type { Db, Tx } from '../platform/db/database.ts';
import { openDatabase } from '../platform/db/open-database.ts';
import { writeCompany, writeShared } from '../platform/db/write.ts';
import type { Queue } from '../platform/jobs/queue.ts';
import type { CompanyContext, EngineContext } from './context.ts';
import { canWriteToEmployees, createEmployeeMails, noEmployeeMails } from './employee-mails/queue.ts';
import { createNotices, noNotices } from './notices/notices.ts';
import { createMail } from './notices/queue.ts';

type Change<T> = (tx: Tx, now: Temporal.Instant) => Promise<T>;

/**
 * Runs a transaction on the configured database, whether or not the service is running. Its `now` is that of the
 * environment's clock. For what belongs to no company, and for reads.
 */
export async function inTransaction<T>(config: Config, change: Change<T>): Promise<T> {
  const database = await openDatabase({ ...config, databasePoolSize: 2 }, { role: 'command' });
  try {
    return await writeShared(database.db, async (tx) => change(tx, await readNow(tx, config.environment)));
  } finally {
    await database.close();
  }
}

/** Opens the context of a use case that a command calls. */
export async function withCompany<T>(
  config: Config,
  companyId: CompanyId,
  use: (context: CompanyContext) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ ...config, databasePoolSize: 2 }, { role: 'command' });
  const { db } = database;
  try {
    await assertCompany(db, companyId);
    return await use({
      config,
      db,
      companyId,
      by: { actor: operator, name: 'Operator', at: await readNow(db, config.environment) },
      write: (change) => writeCompany(db, companyId, (tx) => change(tx, ['admin'])),
      openEncryption: () => openEncryption(config, db),
    });
  } finally {
    await database.close();
  }
}

/** Dependencies of a command that does more than write a row. */
export type Engine = Omit<EngineContext, 'config' | 'companyId'>;

async function openMails(config: Config, db: Db, queue: Queue): Promise<Pick<Engine, 'notices' | 'employeeMails'>> {
  if (!canWriteToEmployees(config)) return { notices: noNotices, employeeMails: noEmployeeMails };
  const encryption = await openEncryption(config, db);
  const mail = createMail({ isConfigured: config.smtp !== undefined, allowance: config, encryption, queue });
  const employeeMails = createEmployeeMails({ isConfigured: true, encryption, queue });
  return { notices: createNotices(mail, config.publicUrl), employeeMails };
}

/**
 * Runs a command with connections like those of a worker, because it may take as long as a job. A worker processes the
 * jobs that it adds.
 */
export async function withEngine<T>(config: Config, use: (engine: Engine) => Promise<T>): Promise<T> {
  const { openQueue } = await import('../platform/jobs/queue.ts');
  const stops = new AsyncDisposableStack();
  try {
    const database = await openDatabase({ ...config, databasePoolSize: 2 }, { role: 'command' });
    stops.defer(database.close);
    const { db, close } = database.connect({ max: 2, streaming: true });
    stops.defer(close);
    const clock = await openClock(db, config.environment);
    stops.defer(clock.stop);
    const queue = await openQueue({ url: database.url, worker: false, log: pino({ level: 'silent' }) });
    stops.defer(queue.stop);
    return await use({ db, clock, queue, ...(await openMails(config, db, queue)) });
  } finally {
    await stops.disposeAsync();
  }
}

export const createNoEmployeeError = (companyId: CompanyId, employeeId: number) =>
  new OperatorError(`Company ${companyId} has no employee ${employeeId}: check --company and --employee.`);

export async function assertCompany(db: Db | Tx, companyId: CompanyId): Promise<void> {
  const found = await db.selectFrom('companies as c').select('c.id').where('c.id', '=', companyId).executeTakeFirst();
  if (found === undefined) throw new OperatorError(`There is no company ${companyId}: run "company list" to see all.`);
}
