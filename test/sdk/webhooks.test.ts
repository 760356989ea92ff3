import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signWebhook, verifyWebhook, WebhookVerificationError } from '../../sdk/src/index.ts';
import { createWebhookSecret, signDelivery } from '../../src/features/webhooks/sign.ts';

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

  it('refuses every body that is no event in the same way, even a signed one', async () => {
    const texts = [
      '',
      'no json',
      'null',
      '7',
      '[]',
      '{}',
      '{"event":null}',
      '{"event":{}}',
      `"${'x'.repeat(2_000_000)}"`,
    ];
    for (const text of texts) {
      const headers = await signWebhook(text, secret, 'evt_1');
      const request = new Request('https://example.com/', { method: 'POST', headers, body: text });
      for (const one of [{ headers, body: text }, { headers, body: Buffer.from(text) }, request]) {
        await assert.rejects(verifyWebhook(one, secret), WebhookVerificationError, text.slice(0, 20));
      }
    }
    const headers = sign([secret]);
    for (const value of [undefined, null, 7, JSON.parse(body), [body], new ReadableStream()]) {
      const request = { headers, body: value as string };
      await assert.rejects(verifyWebhook(request, secret), WebhookVerificationError);
    }
    const read = new Request('https://example.com/', { method: 'POST', headers, body });
    await read.text();
    await assert.rejects(verifyWebhook(read, secret), /was already read/);
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
    const init = { method: 'POST', headers, body: broken, duplex: 'half' } as RequestInit;
    await assert.rejects(verifyWebhook(new Request('https://example.com/', init), secret), WebhookVerificationError);
  });
});
