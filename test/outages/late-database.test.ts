import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { assertUsable } from '../../src/open-database.ts';
import { type DatabaseProxy, openProxy } from '../../torture/connection-faults/proxy.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
before(async () => {
  database = await createEmptyDatabase();
  proxy = await openProxy(database.adminUrl);
});
after(async () => {
  await proxy.close();
  await database.drop();
});

it('a start waits for a server that responds late, and a check of the settings reports it', async () => {
  const silence = proxy.during('black hole', 3);
  const checks = [
    assertUsable(proxy.url, 'DATABASE_URL'),
    assertUsable(proxy.url, 'DATABASE_URL', { isPatient: true }),
  ] as const;
  await assert.rejects(checks[0], { message: 'The database of DATABASE_URL cannot be used: timeout expired.' });
  await checks[1];
  await silence;
});
