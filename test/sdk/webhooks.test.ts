import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signWebhook, verifyWebhook, WebhookVerificationError } from '../../sdk/src/index.ts';
import { createWebhookSecret, signDelivery } from '../../src/webhooks/sign.ts';

const body = JSON.stringify({
  event: { id: 'evt_1', type: 'tickets-issued', sequence: 7, timestamp: '2026-12-01T00:05:12Z' },
  payload: { period: '2026-12-01', tickets: 250, names: 'Zoë' },
});
const secret = createWebhookSecret();
const sign = (secrets: string[], at = Temporal.Now.instant()) => signDelivery({ eventId: 'evt_1', at, body, secrets });

describe('verifyWebhook', () => {
  it('accepts what the service signs, in every form of a request', async () => {
    const headers = sign([secret]);
    const request = new Request('https://example.com/', { method: 'POST', headers, body });
    for (const one of [request, { headers, body }, { headers: new Headers(headers), body: Buffer.from(body) }]) {
      const message = await verifyWebhook(one, secret);
      assert(message.type === 'tickets-issued');
      assert.deepEqual([message.sequence, message.payload.tickets], [7, 250]);
    }
  });

  it('accepts both secrets during a rotation', async () => {
    const next = createWebhookSecret();
    const headers = sign([next, secret]);
    for (const one of [next, secret, [createWebhookSecret(), secret]]) await verifyWebhook({ headers, body }, one);
  });

  it('accepts what signWebhook signs', async () => {
    await verifyWebhook({ headers: await signWebhook(body, secret, 'evt_1'), body }, secret);
  });

  it('refuses everything else', async () => {
    const headers = sign([secret]);
    const old = sign([secret], Temporal.Now.instant().subtract({ minutes: 6 }));
    const refused: [Parameters<typeof verifyWebhook>[0], string][] = [
      [{ headers, body: `${body} ` }, secret],
      [{ headers, body }, createWebhookSecret()],
      [{ headers, body }, 'whsec_'],
      [{ headers, body }, 'whsec_ö'],
      [{ headers: {}, body }, secret],
      [{ headers: old, body }, secret],
      [{ headers: { ...headers, 'webhook-id': 'evt_2' }, body }, secret],
      [{ headers: { ...headers, 'webhook-timestamp': 'now' }, body }, secret],
      [{ headers: { ...headers, 'webhook-signature': 'v2,abc v1,=!' }, body }, secret],
    ];
    for (const [request, key] of refused) await assert.rejects(verifyWebhook(request, key), WebhookVerificationError);
    await verifyWebhook({ headers: old, body }, secret, { toleranceSeconds: 3600 });
  });
});
