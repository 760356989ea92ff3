import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../../src/platform/config/config.ts';
import { startTestApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { anonymousClient, makeUser } from '../../support/portal.ts';
import { rowsOf } from '../../support/rows.ts';

/** Sends failed credentials six times where five are allowed, and returns the last status. */
async function statusOfSixth(trustProxy: string, forwardedFor: (index: number) => string): Promise<number> {
  await using app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: '5', TRUST_PROXY: trustProxy } });
  const responses = [];
  for (let index = 0; index < 6; index++) {
    responses.push(await app.request('/me', { headers: { 'x-forwarded-for': forwardedFor(index) } }));
  }
  assert.deepEqual(pluck(responses.slice(0, 5), 'status'), [401, 401, 401, 401, 401]);
  return responses.at(-1)?.status ?? 0;
}

const forged = (index: number) => `203.0.113.${index}`;
const other = (index: number) => `198.51.100.${index}`;

describe('TRUST_PROXY', () => {
  it('off: ignores the header', async () => {
    assert.equal(await statusOfSixth('off', other), 429);
  });

  it('on: trusts one proxy, and nothing that the client sent', async () => {
    assert.equal(await statusOfSixth('on', (index) => `${forged(index)}, 198.51.100.7`), 429);
    assert.equal(await statusOfSixth('on', (index) => `${forged(0)}, ${other(index)}`), 401);
  });

  it('a number: trusts that many proxies in a row', async () => {
    assert.equal(await statusOfSixth('2', (index) => `${forged(index)}, 198.51.100.7, 10.0.0.${index}`), 429);
    assert.equal(await statusOfSixth('2', (index) => `${forged(0)}, ${other(index)}, 10.0.0.1`), 401);
  });

  it('networks: trusts only proxies in these networks', async () => {
    const networks = '127.0.0.0/8, 10.0.0.0/8, ::1';
    assert.equal(await statusOfSixth(networks, (index) => `${forged(index)}, 198.51.100.7, 10.0.0.${index}`), 429);
    assert.equal(await statusOfSixth(networks, (index) => `${forged(0)}, ${other(index)}, 10.0.0.1`), 401);
    assert.equal(await statusOfSixth('10.0.0.0/8', other), 429);
  });

  it('determines the address that is recorded with a session', async () => {
    await using app = await startTestApp({ env: { TRUST_PROXY: 'on' } });
    const { id, email, password } = await makeUser(app, await makeCompany(app.db));
    const headers = { 'x-forwarded-for': '203.0.113.1, 198.51.100.7' };
    await anonymousClient(app).post('/auth/sign-in/email', { email, password }, headers);
    const sessions = await rowsOf(app.db, 'portal_sessions', { user_id: id }, ['ip_address']);
    assert.deepEqual(sessions, [{ ip_address: '198.51.100.7' }]);
  });

  it('is refused if it has another form', () => {
    for (const wrong of [
      '0',
      '11',
      'yes',
      '10.0.0.0/0',
      '10.0.0.0/33',
      '10.0.0.0/8,',
      '2001:db8::/129',
      'proxy.local',
    ]) {
      assert.throws(
        () => readConfig({ TRUST_PROXY: wrong }),
        new RegExp(`^Error: TRUST_PROXY must be off, on .*, but is "${RegExp.escape(wrong)}"\\.$`),
        wrong,
      );
    }
  });
});
