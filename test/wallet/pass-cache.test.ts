import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/errors.ts';
import { cachePasses } from '../../src/wallet/pass-cache.ts';
import type { Pass } from '../../src/wallet/present.ts';

const field = (value: string) => ({ label: 'Name', value });

const aPass = (ticketId: string, holder = 'Ada Byron'): Pass => ({
  companyId: 1,
  ticketId,
  code: `TB1.key.1.${ticketId}.signature`,
  language: 'de',
  product: 'Deutschlandticket Job',
  period: '2026-11',
  monthName: 'November 2026',
  month: field('11/2026'),
  holder: field(holder),
  validity: field('01.11.2026 – 30.11.2026'),
  employer: field('Muster GmbH'),
  ticket: field(ticketId),
  startsAt: '2026-11-01T00:00:00+01:00',
  endsAt: '2026-11-30T23:59:59+01:00',
});

/** Returns a signer that counts its signatures and finishes each one only when the test requests it. */
function makeSigner() {
  const started: PromiseWithResolvers<Buffer>[] = [];
  const make = cachePasses(() => {
    const signature = Promise.withResolvers<Buffer>();
    started.push(signature);
    return signature.promise;
  });
  return { make, started };
}

describe('passes for Apple Wallet', () => {
  it('are signed once, until what they show changes', async () => {
    const { make, started } = makeSigner();
    const both = [make(aPass('1')), make(aPass('1'))];
    assert.equal(started.length, 1);
    started[0]?.resolve(Buffer.from('first'));
    for (const file of [...both, make(aPass('1'))]) assert.equal(String(await file), 'first');
    const renamed = make(aPass('1', 'Ada Lovelace'));
    assert.equal(started.length, 2);
    started[1]?.resolve(Buffer.from('second'));
    assert.equal(String(await renamed), 'second');
  });

  it('are refused with Retry-After while too many wait to be signed, and signed again afterwards', async () => {
    const { make, started } = makeSigner();
    const waiting = Array.from({ length: 50 }, (_, index) => make(aPass(`${index}`)));
    await assert.rejects(make(aPass('one too many')), (error: unknown) => {
      assert(error instanceof ApiError);
      assert.deepEqual([error.code, error.headers], ['unavailable', { 'retry-after': '2' }]);
      return true;
    });
    assert.equal(started.length, 50);
    for (const signature of started) signature.resolve(Buffer.from('signed'));
    await Promise.all(waiting);
    const next = make(aPass('one too many'));
    started.at(-1)?.resolve(Buffer.from('now'));
    assert.equal(String(await next), 'now');
  });

  it('are not cached when they could not be signed', async () => {
    const { make, started } = makeSigner();
    const failed = make(aPass('1'));
    started[0]?.reject(new Error('The thread was lost.'));
    await assert.rejects(failed, /lost/);
    const again = make(aPass('1'));
    started[1]?.resolve(Buffer.from('again'));
    assert.equal(String(await again), 'again');
  });
});
