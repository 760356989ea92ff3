import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { pino } from 'pino';
import { createLinks } from '../../../src/platform/http/links.ts';
import { createServerFactory } from '../../../src/platform/http/server.ts';
import { noMetrics } from '../../../src/platform/telemetry/metrics.ts';

it('ends connections whose head is not complete within the time that the server claims', async () => {
  const server = createServerFactory({
    waiting: () => 0,
    maxWaiting: 1,
    senderOf: () => '',
    links: createLinks('http://127.0.0.1'),
    metrics: noMetrics,
    log: pino({ level: 'silent' }),
  })(() => {});
  // Node compares the age of a connection only at these intervals, so a long one would add to the time.
  const { headersTimeout, connectionsCheckingInterval } = server as typeof server & Record<string, number>;
  assert.deepEqual([headersTimeout, connectionsCheckingInterval], [20_000, 1_000]);
  // Shortened, with the interval of the service.
  server.headersTimeout = 50;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nslow: ');
    assert.match(await text(socket), /^HTTP\/1\.1 408 /);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
