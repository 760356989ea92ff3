import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectDatabase, type Db } from '../../src/db/database.ts';

export const templateName = 'transit_template';

export async function connectAs(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export function serverUrl(): string {
  const url = process.env.TEST_SERVER_URL;
  if (!url) throw new Error('Run the tests with `npm test`: its set-up starts the database server.');
  return url;
}

export interface TestDatabase {
  url: string;
  db: Db;
  drop(): Promise<void>;
}

/** A database of the test's own, migrated and empty, on the server of the run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `transit_${randomBytes(6).toString('hex')}`;
  const admin = await connectAs(serverUrl());
  await admin.query(`create database ${name} template ${templateName}`);
  await admin.end();
  const url = Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href;
  const { db, close } = connectDatabase({ url, max: 8, applicationName: 'test' });
  return {
    url,
    db,
    async drop() {
      await close();
      const again = await connectAs(serverUrl());
      await again.query(`drop database ${name} with (force)`);
      await again.end();
    },
  };
}
