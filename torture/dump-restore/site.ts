import { startApi } from '../../harness/processes.ts';
import { connectDatabase, type Db } from '../../src/db/database.ts';
import type { Serving } from '../../test/support/process.ts';
import type { BusyService } from '../support/busy-service.ts';
import { forService } from './installed-postgres.ts';

const secret = 'the same on both services, thirty-two or more';

/** One service with its database and its folder. */
export interface Site {
  /** The address for the owner of the database. The service uses its own role. */
  databaseUrl: string;
  folder: string;
  db: Db;
  serving: Serving;
  close(): Promise<void>;
}

export async function openSite(databaseUrl: string, folder: string): Promise<Site> {
  const env = { WORKER: 'on', LOG_LEVEL: 'warn', SECRET: secret, DATABASE_OWNER_URL: databaseUrl };
  const serving = await startApi(forService(databaseUrl), folder, env);
  const { db, close } = connectDatabase({ url: databaseUrl, max: 4, applicationName: 'torture' });
  return {
    databaseUrl,
    folder,
    db,
    serving,
    async close() {
      await close();
      serving.signal('SIGTERM');
      await serving.exited;
    },
  };
}

export const originOf = ({ serving }: Site) => new URL(serving.url).origin;

/** Returns the responses for the quiet company by path, without the origin of the service. */
export async function readQuiet({ tally, quiet, first }: BusyService, site: Site): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const ask = async (path: string) => {
    const { bytes } = await tally.ask(`${site.serving.url}${path}`, {
      headers: { authorization: quiet.authorization },
    });
    const text = bytes.toString('latin1').replaceAll(originOf(site), '');
    answers.set(path, text);
    return text;
  };
  await ask('/me');
  await ask('/hr-integrations');
  await ask(`/billing/items/${first}/ticket-charge`);
  await ask(`/billing/items?period=${first}&perPage=100`);
  const employees: { data: { data: { id: number }[] } } = JSON.parse(
    await ask('/employees?perPage=100&sortField=updatedAt'),
  );
  const documents: typeof employees = JSON.parse(await ask('/employee-documents?perPage=100'));
  for (const { id } of employees.data.data.slice(0, 5)) await ask(`/employees/${id}`);
  for (const { id } of documents.data.data.slice(0, 20)) await ask(`/employee-documents/${id}/download`);
  return answers;
}
