import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSsoProvider } from '../../../src/features/accounts/sso/provider.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import {
  findExceededLimit,
  JsonLimitError,
  jsonLimits,
  parseForeignJson,
} from '../../../src/platform/http/json-limits.ts';
import { startTestApp } from '../../support/app.ts';
import { anonymousClient } from '../../support/portal.ts';
import { seed } from '../../support/seed.ts';

const bytes = (text: string) => Buffer.from(text);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const listOf = (count: number) => `[${Array(count).fill('0').join(',')}]`;
const membersOf = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;

interface Measures {
  depth: number;
  members: number;
  values: number;
}

/** Measures a value that was parsed. Every value counts, and every list or object that has something in it once more. */
function measure(value: unknown): Measures {
  if (typeof value !== 'object' || value === null) return { depth: 0, members: 0, values: 1 };
  const children = Object.values(value).map(measure);
  const most = (name: keyof Measures) => Math.max(0, ...children.map((child) => child[name]));
  return {
    depth: 1 + most('depth'),
    members: Math.max(Array.isArray(value) ? 0 : children.length, most('members')),
    values:
      1 +
      Math.max(
        1,
        children.reduce((sum, child) => sum + child.values, 0),
      ),
  };
}

describe('the limits of JSON', () => {
  it('allow what is exactly as large as they say, and refuse one more', () => {
    const limits = { maxDepth: 3, maxMembers: 4, maxValues: 12 };
    for (const [text, exceeded] of [
      [nested(3), undefined],
      [nested(4), 'maxDepth'],
      [membersOf(4), undefined],
      [membersOf(5), 'maxMembers'],
      [listOf(11), undefined],
      [listOf(12), 'maxValues'],
    ] as const) {
      assert.equal(findExceededLimit(bytes(text), limits), exceeded, text);
    }
  });

  it('count neither brackets nor commas in texts', () => {
    const text = JSON.stringify({ a: '[[[[,,,,{{{{', b: '\\"[[[[[[[', '[[[[': ['"', '\\'] });
    assert.equal(findExceededLimit(bytes(text), { maxDepth: 2, maxMembers: 3, maxValues: 6 }), undefined);
  });

  it('are compared with what the JSON really contains', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(5), fc.nat(8), fc.nat(60), (value, depth, members, values) => {
        const real = measure(value);
        const limits = { maxDepth: depth, maxMembers: members, maxValues: values + 2 };
        const isWithin = real.depth <= depth && real.members <= members && real.values <= values + 2;
        // An object counts as one member even if it is empty, which refuses it only if none is allowed.
        if (members > 0) {
          assert.equal(findExceededLimit(bytes(JSON.stringify(value)), limits) === undefined, isWithin);
        }
      }),
      { seed },
    );
  });

  it('apply before anything is parsed, whether or not it is JSON', () => {
    for (const text of ['['.repeat(1_000_000), '{"a":'.repeat(400_000), '[,'.repeat(1_000_000)]) {
      assert.throws(() => parseForeignJson(bytes(text)), JsonLimitError);
    }
    assert.deepEqual(parseForeignJson(bytes('{"a":[1,"ü"]}')), { a: [1, 'ü'] });
  });

  it('apply to the bodies of the portal', async () => {
    await using app = await startTestApp();
    const send = (body: string) =>
      anonymousClient(app).post('/auth/sign-in/email', body, { 'content-type': 'application/json' });
    const deep = await send(nested(jsonLimits.maxDepth + 1));
    assert.deepEqual([deep.status, deep.body.code], [400, 'malformed-body']);
    assert.match(deep.body.detail, /more than 32 levels deep/);
    const wide = await send(membersOf(jsonLimits.maxMembers + 1));
    assert.deepEqual([wide.status, wide.body.code], [413, 'body-too-large']);
    assert.match(wide.body.detail, /more than 1000 members/);
  });

  it('apply to the responses of identity providers', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"issuer":${nested(50)}}`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const provider = createSsoProvider(readConfig({ WEBHOOK_ALLOW_PRIVATE: 'on' }));
      await assert.rejects(provider.check({ issuer, clientId: 'a', clientSecret: 'b' }), (error: Error) => {
        assert.match(`${error.message} ${(error.cause as Error | undefined)?.message}`, /too complex/);
        return true;
      });
    } finally {
      server.close();
    }
  });
});
