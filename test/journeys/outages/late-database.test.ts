import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, it } from 'node:test';
import { assertUsable } from '../../../src/platform/db/open-database.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

/** A server that accepts connections and says nothing for as long as it is silent. */
let isSilent = true;
let server: Server;
const sockets: Socket[] = [];
let database: TestDatabase;

before(async () => {
  database = await createEmptyDatabase();
  const { hostname, port } = new URL(database.adminUrl);
  server = createServer((client) => {
    sockets.push(client.on('error', () => {}));
    if (!isSilent) client.pipe(connect(Number(port), hostname).on('error', () => {})).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await database.drop();
});

const urlWith = (seconds: number) => {
  const { port } = server.address() as AddressInfo;
  const search = `?connect_timeout=${seconds}`;
  return Object.assign(new URL(database.adminUrl), { hostname: '127.0.0.1', port: String(port), search }).href;
};
const late = (seconds: number) => ({
  message: `The database of DATABASE_URL cannot be used: time-out, there was no response within ${seconds} s. Check host, port and firewall.`,
});

it('a check waits as many seconds for a connection as the URL says', async () => {
  isSilent = true;
  for (const seconds of [1, 2]) {
    const asked = performance.now();
    await assert.rejects(assertUsable(urlWith(seconds), 'DATABASE_URL'), late(seconds));
    // Timers may be a few milliseconds early.
    assert.ok(performance.now() - asked > seconds * 1_000 - 50);
  }
});

it('a start waits for a server that responds late', async () => {
  isSilent = true;
  const before = sockets.length;
  const usable = assertUsable(urlWith(1), 'DATABASE_URL', { isPatient: true });
  await until('the second attempt has begun', () => sockets.length > before + 1);
  isSilent = false;
  await usable;
});
