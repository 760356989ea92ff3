import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cachePasses } from '../../../src/features/wallet/pass-cache.ts';
import type { Pass } from '../../../src/features/wallet/present.ts';
import { ApiError } from '../../../src/platform/http/errors.ts';
import { passLimits } from '../../../src/platform/http/slot-limits.ts';

const field = (value: string) => ({ label: 'Name', value });

const aPass = (ticketId: string, holder = 'Ada Byron'): Pass => ({
  companyId: 1,
  ticketId,
  isTest: false,
  format: 'qr',
  code: `TB1.key.1.${ticketId}.signature`,
  language: 'de',
  product: 'Deutschlandticket Job',
  period: '2026-11',
  monthName: 'November 2026',
  month: field('11/2026'),
  holder: field(holder),
  validity: field('01.11.2026 – 30.11.2026'),
  note: null,
  employer: field('Muster GmbH'),
  ticket: field(ticketId),
  startsAt: '2026-11-01T00:00:00+01:00',
  endsAt: '2026-11-30T23:59:59+01:00',
});

const limits = (waitMillis: number) => ({ ...passLimits, total: 3, perCompany: 2, waitMillis });

/** Returns a signer that counts its signatures and finishes each one only when the test requests it. */
function makeSigner(waitMillis = 60_000) {
  const started: PromiseWithResolvers<Buffer>[] = [];
  const make = cachePasses(() => {
    const signature = Promise.withResolvers<Buffer>();
    started.push(signature);
    return signature.promise;
  }, limits(waitMillis));
  return { make, started };
}

describe('passes for Apple Wallet', () => {
  it('are signed once, until what they show changes', async () => {
    const { make, started } = makeSigner();
    const both = [make(aPass('1')), make(aPass('1'))];
    await nextTurn();
    assert.equal(started.length, 1);
    started[0]?.resolve(Buffer.from('first'));
    for (const file of [...both, make(aPass('1'))]) assert.equal(String(await file), 'first');
    const renamed = make(aPass('1', 'Ada Lovelace'));
    await nextTurn();
    assert.equal(started.length, 2);
    started[1]?.resolve(Buffer.from('second'));
    assert.equal(String(await renamed), 'second');
  });

  it('of one company leave a place to another, and are signed in turn', async () => {
    const { make, started } = makeSigner();
    const waiting = Array.from({ length: 10 }, (_, index) => make(aPass(`${index}`)));
    await nextTurn();
    assert.equal(started.length, 2);
    const other = make({ ...aPass('other'), companyId: 2 });
    await nextTurn();
    started[2]?.resolve(Buffer.from('other'));
    assert.equal(String(await other), 'other');
    for (let signed = 0; signed <= 10; signed++) {
      started[signed]?.resolve(Buffer.from('signed'));
      await nextTurn();
    }
    for (const file of await Promise.all(waiting)) assert.equal(String(file), 'signed');
  });

  it('are refused with Retry-After if others take too long, and signed afterwards', async () => {
    const { make, started } = makeSigner(1);
    const waiting = [make(aPass('1')), make(aPass('2')), make({ ...aPass('3'), companyId: 2 })];
    await assert.rejects(make({ ...aPass('one too many'), companyId: 3 }), (error: unknown) => {
      assert(error instanceof ApiError);
      assert.deepEqual([error.code, error.headers], ['unavailable', { 'retry-after': '2' }]);
      return true;
    });
    for (const signature of started) signature.resolve(Buffer.from('signed'));
    await Promise.all(waiting);
    const next = make({ ...aPass('one too many'), companyId: 3 });
    await nextTurn();
    started.at(-1)?.resolve(Buffer.from('now'));
    assert.equal(String(await next), 'now');
  });

  it('are not cached when they could not be signed', async () => {
    const { make, started } = makeSigner();
    const failed = make(aPass('1'));
    await nextTurn();
    started[0]?.reject(new Error('The thread was lost.'));
    await assert.rejects(failed, /lost/);
    const again = make(aPass('1'));
    await nextTurn();
    started[1]?.resolve(Buffer.from('again'));
    assert.equal(String(await again), 'again');
  });
});
