import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { permissions } from '../../../src/domain/enums.ts';
import { announceAccessChange } from '../../../src/features/companies/companies.ts';
import { type KeyName, parseUsername } from '../../../src/features/keys/credentials.ts';
import { insertKey, revokeKey, rotateKey } from '../../../src/features/keys/keys.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { assertProblem, withoutRequestId } from '../../support/api/problems.ts';
import { basic, type Credentials, type TestResponse, useApp } from '../../support/app.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';
import { operations } from '../../support/openapi.ts';
import { pluck } from '../../support/pluck.ts';
import { before } from '../../support/prepare.ts';
import { rowOf } from '../../support/rows.ts';
import { lastFailedCheck, until } from '../../support/until.ts';

const app = useApp();
let companyId: CompanyId;
let key: Credentials;
before(async () => {
  companyId = await makeCompany(app.db);
  key = await makeKey(app.db, companyId);
});

function nameOf({ username }: Credentials): KeyName {
  const name = parseUsername(username);
  assert(name);
  return name;
}
const revoke = (one: Credentials) =>
  app.db.transaction().execute((tx) => revokeKey(tx, nameOf(one), Temporal.Now.instant()));
/** Throws if a request is still accepted when it is sent a second after that moment, or later. */
async function assertRefusedSoonAfter(moment: Temporal.Instant, what: string, isRefused: () => Promise<boolean>) {
  const late = (await lastFailedCheck(what, isRefused)) - moment.epochMilliseconds;
  assert(late < 1_000, `requested and accepted ${late} ms later`);
}

const statusOf = async (one: Credentials, where = app) => (await where.request('/me', { key: one })).status;

describe('Basic authentication', () => {
  const send = (authorization?: string) =>
    app.request('/me', { headers: authorization === undefined ? {} : { authorization } });
  const encode = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;

  /** What a refusal may say: only what the header itself shows. */
  const details = {
    missing:
      'The request has no Authorization header. Send the username and password of an API key as HTTP Basic authentication.',
    scheme:
      'The Authorization header does not have the scheme Basic. Send the username and password of an API key as HTTP Basic authentication.',
    encoding: 'What follows Basic in the Authorization header is not Base64. Send base64(username:password).',
    colon: 'The decoded Authorization header has no colon. Send base64(username:password).',
    environment:
      'This is a key of production, but this service is staging. Use a key of staging, or the address of production.',
    password:
      'The password is incomplete or mistyped: its checksum is wrong. Copy all of it again, or create a new key.',
    username:
      'The username is incomplete or mistyped. It has the form tk_<company>_<16 characters>: copy all of it again.',
    unknown:
      'There is no valid key with this username and password. It may have been revoked or have expired: check it in the developer portal, or create a new one.',
  };

  /** Throws if this refusal differs from another in anything but the request's id and what its header shows. */
  async function assertRefused(response: TestResponse, reason: keyof typeof details): Promise<void> {
    assertProblem(response, 401, 'invalid-credentials');
    assert.equal(response.headers.get('www-authenticate'), 'Basic realm="api", charset="UTF-8"');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const plain = await send();
    const expected = { ...plain, body: { ...plain.body, detail: details[reason] } };
    assert.deepEqual(withoutRequestId(response), withoutRequestId(expected));
    const names = (headers: Headers) => [...headers.keys()].filter((name) => name !== 'date');
    assert.deepEqual(names(response.headers), names(plain.headers));
  }

  it('accepts a valid key', async () => {
    assert.equal((await send(basic(key))).status, 200);
  });

  it('accepts the scheme in any case and followed by several spaces', async () => {
    const token = basic(key).slice('Basic '.length);
    for (const header of [`basic ${token}`, `BASIC ${token}`, `Basic   ${token}`]) {
      assert.equal((await send(header)).status, 200, header.slice(0, 9));
    }
  });

  const malformed: [name: string, reason: keyof typeof details, header: () => string | undefined][] = [
    ['no header', 'missing', () => undefined],
    ['an empty header', 'missing', () => ''],
    ['the scheme alone', 'encoding', () => 'Basic'],
    ['another scheme', 'scheme', () => basic(key).replace('Basic', 'Bearer')],
    ['the token alone', 'scheme', () => basic(key).slice('Basic '.length)],
    ['credentials that are not encoded', 'encoding', () => `Basic ${key.username}:${key.password}`],
    ['characters that are no base64', 'encoding', () => 'Basic !!!!'],
    ['something after the token', 'encoding', () => `${basic(key)} x`],
    ['two tokens', 'encoding', () => `${basic(key)}, ${basic(key)}`],
    ['no colon', 'colon', () => encode(`${key.username}${key.password}`)],
    ['nothing around the colon', 'password', () => encode(':')],
    ['no password', 'password', () => encode(`${key.username}:`)],
    ['no username', 'username', () => encode(`:${key.password}`)],
    ['username and password exchanged', 'password', () => encode(`${key.password}:${key.username}`)],
    ['a space before the username', 'username', () => encode(` ${key.username}:${key.password}`)],
    ['a line break after the password', 'password', () => encode(`${key.username}:${key.password}\n`)],
    ['a NUL in the username', 'username', () => encode(`${key.username}\0:${key.password}`)],
    ['a NUL in the password', 'password', () => encode(`${key.username}:${key.password}\0`)],
    ['bytes that are no UTF-8', 'password', () => encode(Buffer.from([0xff, 0xfe, 0x3a, 0xc3, 0x28]))],
    ['thousands of characters', 'password', () => encode(`${key.username}:${'x'.repeat(8000)}`)],
    ['an injection', 'username', () => encode(`tk_1_' or 1=1 --:${key.password}`)],
  ];
  for (const [name, reason, header] of malformed) {
    it(`refuses ${name}`, async () => {
      await assertRefused(await send(header()), reason);
    });
  }

  const lastChanged = (text: string) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
  const wrong: [name: string, reason: keyof typeof details, credentials: () => Promise<Credentials>][] = [
    ['a wrong password', 'password', async () => ({ ...key, password: lastChanged(key.password) })],
    ['a password in other case', 'password', async () => ({ ...key, password: key.password.toUpperCase() })],
    ['a password that goes on', 'password', async () => ({ ...key, password: `${key.password}0` })],
    ['a password that is cut', 'password', async () => ({ ...key, password: key.password.slice(0, -1) })],
    [
      'the password of another key',
      'unknown',
      async () => ({ ...key, password: (await makeKey(app.db, companyId)).password }),
    ],
    ['an unknown username', 'unknown', async () => ({ ...key, username: `tk_${companyId}_0123456789abcdef` })],
    ['a username in other case', 'username', async () => ({ ...key, username: key.username.toUpperCase() })],
    [
      'the key under an unknown company',
      'unknown',
      async () => ({ ...key, username: key.username.replace(/_\d+_/, '_999999_') }),
    ],
    [
      'the key under another company',
      'unknown',
      async () => ({ ...key, username: key.username.replace(/_\d+_/, `_${await makeCompany(app.db)}_`) }),
    ],
    [
      'a company id beyond 2^53',
      'username',
      async () => ({ ...key, username: key.username.replace(/_\d+_/, '_9007199254740993_') }),
    ],
    [
      'a company id beyond 2^63',
      'username',
      async () => ({ ...key, username: key.username.replace(/_\d+_/, '_99999999999999999999_') }),
    ],
    [
      'a company id with a zero before it',
      'username',
      async () => ({ ...key, username: key.username.replace('tk_', 'tk_0') }),
    ],
    [
      'a revoked key',
      'unknown',
      async () => {
        const revoked = await makeKey(app.db, companyId);
        assert(await revoke(revoked));
        return revoked;
      },
    ],
    [
      'an expired key',
      'unknown',
      async () => makeKey(app.db, companyId, permissions, Temporal.Now.instant().subtract({ seconds: 1 })),
    ],
    [
      "the other environment's key",
      'environment',
      async () =>
        app.db
          .transaction()
          .execute((tx) => insertKey(tx, companyId, { environment: 'production', name: 'Production', permissions })),
    ],
  ];
  for (const [name, reason, credentials] of wrong) {
    it(`refuses ${name}`, async () => {
      await assertRefused(await send(basic(await credentials())), reason);
    });
  }

  it('checks credentials before parameters, ids and the body', async () => {
    for (const path of ['/employees?page=-1', '/employees/abc', '/employees/999999999', '/billing/items/x/y']) {
      assertProblem(await app.request(path), 401, 'invalid-credentials');
    }
  });

  it('does not require credentials on public routes', async () => {
    assertProblem(await app.request('/nothing-here'), 404, 'route-not-found');
    assertProblem(await app.request('/employees', { method: 'DELETE' }), 405, 'method-not-allowed');
  });

  it('logs a failure with the network, and with an account that is unreadable without the secret', async () => {
    const before = app.logs.length;
    const wrong = { ...key, password: `${key.password}x` };
    await send(basic(wrong));
    await send(basic(wrong));
    await send(basic({ ...key, username: 'tk_999999_0123456789abcdef' }));
    const text = app.logs.slice(before).join('');
    assert(!text.includes(key.username) && !text.includes(key.password));
    const lines = app.logs
      .slice(before)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'authentication failed');
    assert.deepEqual(pluck(lines, 'network'), ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
    const [one, same, other] = lines.map(({ account }) => account);
    assert.match(one, /^[0-9a-f]{32}$/);
    assert.equal(one, same);
    assert.notEqual(one, other);
  });

  it('accepts an expiring key until it expires', async () => {
    const end = Temporal.Now.instant().add({ seconds: 2 });
    const expiring = await makeKey(app.db, companyId, permissions, end);
    assert.equal(await statusOf(expiring), 200);
    await assertRefusedSoonAfter(end, 'the key has expired', async () => (await statusOf(expiring)) === 401);
    assert(Temporal.Instant.compare(Temporal.Now.instant(), end) > 0);
  });
});

describe('Every operation', () => {
  const pathOf = (path: string) => path.replaceAll(/\{\w+\}/g, '1');
  const guarded = operations.filter((operation) => operation.permissions !== undefined);

  it('needs a key, except the document, the health check and the passes, whose URLs are secret', () => {
    assert.deepEqual(
      pluck(
        operations.filter((operation) => operation.permissions === undefined),
        'operationId',
      ),
      ['getOpenapi', 'getApplePass', 'getGooglePass', 'checkHealth'],
    );
  });

  for (const { operationId, method, path, permissions: needed = [] } of guarded) {
    it(`${operationId} refuses requests without a valid key`, async () => {
      assertProblem(await app.request(pathOf(path), { method }), 401, 'invalid-credentials');
    });
    for (const permission of needed) {
      it(`${operationId} refuses a key that has every permission except ${permission}`, async () => {
        const others = permissions.filter((other) => other !== permission);
        const lacking = await makeKey(app.db, companyId, others);
        const response = await app.request(pathOf(path), { method, key: lacking });
        assertProblem(response, 403, 'missing-permission');
        assert.deepEqual(response.body.missingPermissions, [permission]);
      });
    }
    if (needed.length > 0) {
      it(`${operationId} lists all missing permissions of a key without any`, async () => {
        const response = await app.request(pathOf(path), { method, key: await makeKey(app.db, companyId, []) });
        assertProblem(response, 403, 'missing-permission');
        assert.deepEqual(response.body.missingPermissions.toSorted(), needed.toSorted());
      });
    }
  }

  it('checks permissions before parameters and ids', async () => {
    const lacking = await makeKey(app.db, companyId, []);
    for (const path of ['/employees?page=-1', '/employees/abc', '/employees/999999999', '/billing/items/x/y']) {
      assertProblem(await app.request(path, { key: lacking }), 403, 'missing-permission');
    }
  });
});

describe('Rotation of a key', () => {
  const rotate = (one: Credentials, overlapEnds: Temporal.Instant) =>
    app.db.transaction().execute((tx) => rotateKey(tx, nameOf(one), { environment: 'staging', overlapEnds }));

  it('keeps both passwords valid until the overlap ends, then only the new one', async () => {
    const old = await makeKey(app.db, companyId);
    const end = Temporal.Now.instant().add({ seconds: 2 });
    const fresh = await rotate(old, end);
    assert(fresh);
    assert.equal(fresh.username, old.username);
    assert.deepEqual([await statusOf(old), await statusOf(fresh)], [200, 200]);
    await assertRefusedSoonAfter(end, 'the old password is refused', async () => (await statusOf(old)) === 401);
    assert(Temporal.Instant.compare(Temporal.Now.instant(), end) > 0);
    assert.equal(await statusOf(fresh), 200);
  });

  it('invalidates the old password immediately without an overlap', async () => {
    const old = await makeKey(app.db, companyId);
    const fresh = await rotate(old, Temporal.Now.instant().subtract({ seconds: 1 }));
    assert(fresh);
    assert.deepEqual([await statusOf(old), await statusOf(fresh)], [401, 200]);
  });

  it('keeps only the most recent old password', async () => {
    const first = await makeKey(app.db, companyId);
    const later = Temporal.Now.instant().add({ hours: 1 });
    const second = await rotate(first, later);
    const third = await rotate(first, later);
    assert(second && third);
    assert.deepEqual([await statusOf(first), await statusOf(second), await statusOf(third)], [401, 200, 200]);
  });

  it('does not give a revoked key a new password', async () => {
    const one = await makeKey(app.db, companyId);
    await revoke(one);
    assert.equal(await rotate(one, Temporal.Now.instant().add({ hours: 1 })), undefined);
  });

  it('revokes both passwords immediately', async () => {
    const old = await makeKey(app.db, companyId);
    const fresh = await rotate(old, Temporal.Now.instant().add({ hours: 1 }));
    assert(fresh);
    await revoke(old);
    assert.deepEqual([await statusOf(old), await statusOf(fresh)], [401, 401]);
  });
});

describe('Revocation of a key', () => {
  const second = useApp(() => ({ databaseUrl: app.databaseUrl }));

  it('takes effect within one second on every process, however busy the key is', async () => {
    const busy = await makeKey(app.db, companyId);
    assert.deepEqual([await statusOf(busy), await statusOf(busy, second)], [200, 200]);
    assert(await revoke(busy));
    await assertRefusedSoonAfter(Temporal.Now.instant(), 'both processes refuse the key', async () =>
      (await Promise.all([statusOf(busy), statusOf(busy, second)])).every((status) => status === 401),
    );
  });

  it('also applies changed permissions within one second', async () => {
    const one = await makeKey(app.db, companyId, ['view-billing']);
    assert.equal((await second.request('/billing/items', { key: one })).status, 200);
    await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('api_keys').set({ permissions: [] }).where('id', '=', nameOf(one).keyId).execute();
      await announceAccessChange(tx, companyId);
    });
    await assertRefusedSoonAfter(
      Temporal.Now.instant(),
      'the second process misses the permission',
      async () => (await second.request('/billing/items', { key: one })).status === 403,
    );
  });
});

describe('The last use of a key', () => {
  const lastUse = async (one: Credentials) => {
    const { companyId: company, keyId } = nameOf(one);
    const row = await rowOf(app.db, 'api_keys', { company_id: company, id: keyId }, ['last_used_at']);
    return row.last_used_at;
  };
  async function makeKeyUsed(secondsAgo: number): Promise<Credentials> {
    const one = await makeKey(app.db, companyId);
    const last_used_at = Temporal.Now.instant().subtract({ seconds: secondsAgo }).toString();
    await app.db.updateTable('api_keys').set({ last_used_at }).where('id', '=', nameOf(one).keyId).execute();
    return one;
  }

  it('is recorded', async () => {
    const one = await makeKey(app.db, companyId);
    assert.equal(await lastUse(one), null);
    const start = Temporal.Now.instant();
    assert.equal(await statusOf(one), 200);
    await until('the use is noted', async () => (await lastUse(one)) !== null);
    assert(Temporal.Instant.compare(Temporal.Instant.from((await lastUse(one)) ?? ''), start) >= 0);
  });

  it('is recorded at most once per minute', async () => {
    const recent = await makeKeyUsed(50);
    const stale = await makeKeyUsed(61);
    const [before, staleBefore] = [await lastUse(recent), await lastUse(stale)];
    assert.equal(await statusOf(recent), 200);
    assert.equal(await statusOf(stale), 200);
    await until('the stale one is noted', async () => (await lastUse(stale)) !== staleBefore);
    assert.equal(await lastUse(recent), before);
  });

  it('of many keys holds up no request, also if it cannot be recorded at the moment', async () => {
    const keys = await Promise.all(Array.from({ length: 30 }, () => makeKey(app.db, companyId)));
    const blocker = await app.db.startTransaction().execute();
    try {
      // Reading keys is possible, changing them is not.
      await sql`lock table api_keys in share mode`.execute(blocker);
      for (const one of keys) assert.equal(await statusOf(one), 200);
    } finally {
      await blocker.rollback().execute();
    }
    for (const one of keys) await until('the use is noted', async () => (await lastUse(one)) !== null);
  });

  it('is not recorded for wrong passwords', async () => {
    const one = await makeKey(app.db, companyId);
    assert.equal(await statusOf({ ...one, password: 'wrong' }), 401);
    const other = await makeKey(app.db, companyId);
    assert.equal(await statusOf(other), 200);
    await until('the other key is noted', async () => (await lastUse(other)) !== null);
    assert.equal(await lastUse(one), null);
  });
});
