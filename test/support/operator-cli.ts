import assert from 'node:assert/strict';
import type { Day } from '../../src/domain/calendar.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { commandsIn } from './commands.ts';
import { createTestDatabase } from './database.ts';
import { comingFirst, moveEnvironmentTo } from './environment.ts';
import { makeCompany } from './factories.ts';
import { type Env, withFolder } from './process.ts';

/** The operator's commands run on a database of their own, on the tenth of `month`. */
export const month = comingFirst();
export const today = month.add({ days: 9 });
export const lastMonth = month.subtract({ months: 1 });
export const nextMonth = month.add({ months: 1 });

export interface OperatorCli {
  db: Db;
  env: Env;
  /** Takes the words of a command as one line, followed by the words that contain spaces. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints a value of its own shape.
  succeed(line: string, ...more: string[]): Promise<any>;
  fail(line: string, ...more: string[]): Promise<string>;
  /** Throws unless each command is refused with its message. */
  refuse(...cases: [line: string, message: string, ...more: string[]][]): Promise<void>;
}

export async function withOperatorCli(work: (cli: OperatorCli) => Promise<void>): Promise<void> {
  const { db, url, drop } = await createTestDatabase();
  try {
    await moveEnvironmentTo(db, today);
    await withFolder((folder) => {
      const env = { DATABASE_URL: url, DATA_DIR: folder, DEMO: 'off' };
      const commands = commandsIn(env);
      const fail = (line: string, ...more: string[]) => commands.fail(...line.split(' '), ...more);
      return work({
        db,
        env,
        fail,
        succeed: (line, ...more) => commands.succeed(...line.split(' '), ...more),
        async refuse(...cases) {
          const messages = await Promise.all(cases.map(([line, , ...more]) => fail(line, ...more)));
          assert.deepEqual(
            messages,
            cases.map(([, message]) => `${message}\n`),
          );
        },
      });
    });
  } finally {
    await drop();
  }
}

/** Creates a company that joined in the middle of last month and is processed through a day, by default today. */
export async function createProcessedCompany(db: Db, processedThrough: Day = today): Promise<CompanyId> {
  const companyId = await makeCompany(db);
  await db
    .updateTable('companies')
    .set({ processed_through: processedThrough.toString(), created_at: `${lastMonth.add({ days: 14 })}T12:00:00Z` })
    .where('id', '=', companyId)
    .execute();
  return companyId;
}

/** Returns the fields of a subscription that has not started yet. */
export const starting = (startOn: Day) => ({
  subscription_status: 'scheduled' as const,
  start_on: startOn.toString(),
  next_ticket_on: startOn.toString(),
  due_on: startOn.toString(),
});

/** Returns the entries of a company in the audit log, without its creation. */
export async function actionsOf(db: Db, companyId: CompanyId): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select(['actor_type', 'action', 'target'])
    .where('company_id', '=', companyId)
    .where('action', '<>', 'company.create')
    .orderBy('id')
    .execute();
  return rows.map(({ actor_type, action, target }) => `${actor_type} ${action} ${target}`);
}
