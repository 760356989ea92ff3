import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createWebhookSecret, signDelivery } from '../../../src/features/webhooks/sign.ts';

const body = '{"event":{"id":"evt_1"},"payload":{"name":"Müller"}}';
const sign = (secrets: string[], at = Temporal.Now.instant()) => signDelivery({ eventId: 'evt_1', at, body, secrets });

describe('signatures of webhooks', () => {
  it('are verified by the library of Standard Webhooks', () => {
    const secret = createWebhookSecret();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(new Webhook(secret).verify(body, sign([secret])), JSON.parse(body));
    assert.throws(() => new Webhook(createWebhookSecret()).verify(body, sign([secret])));
    assert.throws(() => new Webhook(secret).verify(`${body} `, sign([secret])));
    assert.throws(() => new Webhook(secret).verify(body, { ...sign([secret]), 'webhook-id': 'evt_2' }));
    const old = Temporal.Now.instant().subtract({ minutes: 10 });
    assert.throws(() => new Webhook(secret).verify(body, sign([secret], old)));
  });

  it('are made with both secrets while a rotation lasts', () => {
    const [current, previous] = [createWebhookSecret(), createWebhookSecret()];
    const headers = sign([current, previous]);
    assert.equal(headers['webhook-signature']?.split(' ').length, 2);
    for (const secret of [current, previous]) new Webhook(secret).verify(body, headers);
  });
});
