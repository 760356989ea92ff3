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

/** Returns the responses for the stable company by path, without the origin of the service. */
export async function readResponses(
  { client, stable, first }: BusyService,
  { serving }: Site,
): Promise<Map<string, string>> {
  const responses = new Map<string, string>();
  const { origin } = new URL(serving.url);
  const read = async (path: string) => {
    const { bytes } = await client.request(`${serving.url}${path}`, {
      headers: { authorization: stable.authorization },
    });
    const text = bytes.toString('latin1').replaceAll(origin, '');
    responses.set(path, text);
    return text;
  };
  const list = async (path: string): Promise<{ id: number }[]> => JSON.parse(await read(path)).data.data;
  await read('/me');
  await read('/hr-integrations');
  await read(`/billing/items/${first}/ticket-charge`);
  await read(`/billing/items?period=${first}&perPage=100`);
  const employees = await list('/employees?perPage=100&sortField=updatedAt');
  const documents = await list('/employee-documents?perPage=100');
  for (const { id } of employees.slice(0, 5)) await read(`/employees/${id}`);
  for (const { id } of documents.slice(0, 20)) await read(`/employee-documents/${id}/download`);
  return responses;
}
