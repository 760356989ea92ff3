import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ConnectionError, RateLimitError, TransitBenefits, UnavailableError } from '../../sdk/src/index.ts';
import { until } from '../support/until.ts';

type Answer = (response: Parameters<RequestListener>[1]) => void;

const problem =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      .end(JSON.stringify({ status, code: status === 429 ? 'rate-limited' : 'unavailable', detail: 'Later.' }));
const json =
  (value: unknown): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const hangUp: Answer = (response) => response.destroy();
const breakOff: Answer = (response) => {
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    .write('{"data":[{"id":1},{"i');
  setImmediate(() => response.destroy());
};
/** Sends the headers and the beginning of a list, and then nothing. */
const hang: Answer = (response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":[{"id":1},{"i');

/** Runs a server that fails as a service and the network between may fail. It gives one answer after the other. */
async function answering<T>(
  answers: Answer[],
  use: (client: TransitBenefits, received: string[], keys: (string | string[] | undefined)[]) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const received: string[] = [];
  const keys: (string | string[] | undefined)[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    keys.push(request.headers['idempotency-key']);
    (answers[received.length - 1] ?? problem(503))(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const retry = { retries: 2, budgetMs: 5000 };
    const baseUrl = `http://127.0.0.1:${port}`;
    return await use(new TransitBenefits({ key: 'a:b', baseUrl, retry, timeoutMs }), received, keys);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const me = { data: { username: 'a' } };

describe('requests that fail', () => {
  it('are repeated after 429, 503, a lost connection and a response that broke off', async () => {
    for (const failure of [problem(429, { 'retry-after': '0' }), problem(503), hangUp, breakOff]) {
      await answering([failure, failure, json(me)], async (client, received) => {
        assert.equal((await client.me()).username, 'a');
        assert.equal(received.length, 3);
      });
    }
  });

  it('are repeated a limited number of times', async () => {
    await answering([], async (client, received) => {
      await assert.rejects(client.me(), UnavailableError);
      assert.equal(received.length, 3);
    });
  });

  it('are not repeated if the service wants more patience than the budget has', async () => {
    await answering([problem(429, { 'retry-after': '3600' })], async (client, received) => {
      await assert.rejects(client.me(), (error) => error instanceof RateLimitError && error.retryAfterMs === 3_600_000);
      assert.equal(received.length, 1);
    });
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    await answering([problem(503, { 'retry-after': later })], async (client, received) => {
      await assert.rejects(client.me(), UnavailableError);
      assert.equal(received.length, 1);
    });
  });

  it('are never repeated if they are not idempotent', async () => {
    for (const failure of [problem(503), hangUp]) {
      await answering([failure, json({})], async (client, received) => {
        await assert.rejects(client.request('POST', '/something', { body: {} }));
        assert.deepEqual(received, ['POST /v1/something']);
      });
    }
  });

  it('are repeated with the same Idempotency-Key if they are subscription requests', async () => {
    const running: Answer = (response) =>
      response
        .writeHead(409, { 'content-type': 'application/problem+json', 'retry-after': '0' })
        .end(JSON.stringify({ status: 409, code: 'request-in-progress', detail: 'Later.' }));
    const answers = [hangUp, running, json({ data: { id: 17 } }), json({ data: [] })];
    await answering(answers, async ({ employees }, received, keys) => {
      assert.equal((await employees.requestSubscriptionChange(1, { action: 'cancel' })).id, 17);
      await employees.requestSubscriptionChanges([{ employeeId: 1, action: 'cancel' }], { idempotencyKey: 'mine' });
      const [key] = keys;
      assert.match(String(key), /^[0-9a-f-]{36}$/);
      assert.deepEqual(keys, [key, key, key, 'mine']);
      const path = 'POST /v1/employees/1/subscription-requests';
      assert.deepEqual(received, [path, path, path, 'POST /v1/subscription-requests']);
    });
  });

  it('are repeated with the same syncId if they are syncs', async () => {
    const accepted: Answer = (response) => response.writeHead(204).end();
    await answering([problem(503), hangUp, accepted], async (client, received) => {
      const roster = { syncId: 's', employees: [] };
      assert.deepEqual(await client.hrIntegrations.sync(7, roster), { syncId: 's' });
      assert.deepEqual(new Set(received), new Set(['POST /v1/hr-integrations/7/sync']));
    });
  });

  it('stop waiting when the signal is aborted', async () => {
    await answering([problem(503, { 'retry-after': '4' })], async (client) => {
      const stop = new AbortController();
      const failed = assert.rejects(client.me({ signal: stop.signal }), /enough/);
      setImmediate(() => stop.abort(new Error('enough')));
      await failed;
    });
  });

  it('name the origin that cannot be reached', async () => {
    const client = new TransitBenefits({ key: 'a:b', baseUrl: 'http://127.0.0.1:9', retry: { retries: 0 } });
    await assert.rejects(
      client.me(),
      (error) => error instanceof ConnectionError && /127\.0\.0\.1:9/.test(error.message),
    );
  });

  it('are reported as unexpected if a proxy answers', async () => {
    const page: Answer = (response) => response.writeHead(302, { location: 'https://example.com/' }).end('<html>');
    await answering([page], async (client) => {
      await assert.rejects(client.me(), { status: 302, code: 'unexpected-response' });
    });
  });
});

describe('responses that do not end', { concurrency: true }, () => {
  it('fail after the time limit, and are repeated', async () => {
    const use = async (client: TransitBenefits, received: string[]) => {
      assert.equal((await client.me()).username, 'a');
      assert.equal(received.length, 3);
    };
    await answering([hang, () => {}, json(me)], use, 1000);
  });

  it('name the time limit', async () => {
    const use = async (client: TransitBenefits, received: string[]) => {
      await assert.rejects(client.request('POST', '/something', { body: {} }), /not complete after 500 ms/);
      await assert.rejects(client.request('POST', '/something', { body: {} }), /no response within 500 ms/);
      assert.equal(received.length, 2);
    };
    await answering([hang, () => {}], use, 500);
  });

  it('do not hide the status of an error', async () => {
    const half: Answer = (response) =>
      void response.writeHead(422, { 'content-type': 'application/problem+json' }).write('{"status":422');
    await answering([half], async (client) => assert.rejects(client.me(), { name: 'InvalidRequestError' }), 500);
  });

  it('end when the signal is aborted', async () => {
    await answering([hang], async (client, received) => {
      const stop = new AbortController();
      const failed = assert.rejects(client.me({ signal: stop.signal }), /enough/);
      await until('the response has begun', () => received.length === 1);
      stop.abort(new Error('enough'));
      await failed;
    });
  });

  it('end an export, however long its reader takes', async () => {
    const use = async (client: TransitBenefits) => {
      const seen: unknown[] = [];
      await assert.rejects(async () => {
        for await (const item of client.billing.export('2026-11', 'ticket-charge')) {
          seen.push(item);
          await setTimeout(600);
        }
      }, /did not continue within 500 ms/);
      assert.deepEqual(seen, [{ id: 1 }]);
    };
    await answering([hang], use, 500);
  });
});

describe('an export that breaks off', () => {
  it('throws after the complete items', async () => {
    await answering([breakOff], async (client) => {
      const seen: unknown[] = [];
      await assert.rejects(async () => {
        for await (const item of client.billing.export('2026-11', 'ticket-charge')) seen.push(item);
      }, ConnectionError);
      assert.deepEqual(seen, [{ id: 1 }]);
    });
  });

  it('is parsed the same however it is cut into pieces', async () => {
    const items = [{ a: '}{"\\' }, { b: ['ü€😀', { c: '\\"' }] }, {}];
    const bytes = Buffer.from(JSON.stringify({ data: items }));
    const inPieces =
      (size: number): Answer =>
      async (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        for (let at = 0; at < bytes.length; at += size) {
          response.write(bytes.subarray(at, at + size));
          await new Promise(setImmediate);
        }
        response.end();
      };
    for (const size of [1, 2, 3, 7, 1000]) {
      await answering([inPieces(size)], async (client) => {
        assert.deepEqual(await Array.fromAsync(client.billing.export('2026-11', 'ticket-charge')), items);
      });
    }
  });
});

describe('following events', () => {
  it('survives an outage, and ends with what time does not heal', async () => {
    const page = (sequence: number) => json({ data: { data: [{ sequence }], nextAfter: sequence, hasMore: false } });
    const gone: Answer = (response) =>
      response
        .writeHead(410, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify({ status: 410, code: 'events-expired', detail: 'Gone.' }));
    const outage = [hangUp, hangUp, hangUp];
    await answering([page(1), ...outage, page(2), gone], async (client, received) => {
      const seen: number[] = [];
      const errors: unknown[] = [];
      const options = { pollMs: 1, onError: (error: unknown) => errors.push(error) };
      await assert.rejects(
        async () => {
          for await (const { sequence } of client.events.follow(options)) seen.push(sequence);
        },
        { code: 'events-expired' },
      );
      assert.deepEqual([seen, errors.length], [[1, 2], 1]);
      assert.equal(received.at(-1), 'GET /v1/events?after=2');
    });
  });
});
