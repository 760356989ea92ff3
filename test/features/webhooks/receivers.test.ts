import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventTypes } from '../../../src/domain/enums.ts';
import { nextDelay } from '../../../src/features/webhooks/rules/retry.ts';
import { createWebhookSecret, signDelivery } from '../../../src/features/webhooks/sign.ts';
import { until } from '../../support/until.ts';

/** Runs the receivers of docs/webhooks.md as they are printed there, and sends them signed requests. */
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;
const receivers = [
  { language: 'Node', command: process.execPath, file: 'webhook-receiver.mjs', skip: false },
  {
    language: 'Python',
    command: 'python3',
    file: 'webhook_receiver.py',
    skip: hasPython ? false : 'python3 3.9 or newer not found (Debian: apt install python3).',
  },
] as const;

const secret = createWebhookSecret();
const body = JSON.stringify({
  event: { id: 'evt_1', type: 'tickets-issued', sequence: 7, timestamp: '2026-12-01T00:05:12Z' },
  payload: { period: '2026-12-01', tickets: 250 },
});
const sign = (secrets: string[], at = Temporal.Now.instant()) => signDelivery({ eventId: 'evt_1', at, body, secrets });
const ago = (minutes: number) => Temporal.Now.instant().subtract({ minutes });

for (const { language, command, file, skip } of receivers) {
  describe(`the example of a receiver in ${language}`, { skip }, () => {
    let child: ChildProcess;
    let output = '';
    let url: string;

    before(async () => {
      const path = fileURLToPath(new URL(`../../../docs/examples/${file}`, import.meta.url));
      const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: '0' };
      child = spawn(command, [path], { env, stdio: ['ignore', 'pipe', 'ignore'] });
      child.stdout?.on('data', (chunk) => {
        output += chunk;
      });
      await until('the receiver listens', () => /port \d+\n/.test(output) || child.exitCode !== null);
      url = `http://127.0.0.1:${/port (\d+)/.exec(output)?.[1]}/`;
    });
    after(async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    });

    const send = async (headers: Record<string, string>, sent = body) => {
      const response = await fetch(url, { method: 'POST', headers, body: sent });
      await response.arrayBuffer();
      return response.status;
    };

    it('accepts a delivery, also while a secret rotates', async () => {
      assert.equal(await send(sign([secret])), 204);
      assert.equal(await send(sign([createWebhookSecret(), secret])), 204);
      const printed = /7 tickets-issued \{"period": ?"2026-12-01", ?"tickets": ?250\}/g;
      await until('both are printed', () => [...output.matchAll(printed)].length === 2);
    });

    it('refuses what we did not sign, and what was recorded earlier', async () => {
      const genuine = sign([secret]);
      assert.equal(await send({}), 401);
      assert.equal(await send(sign([createWebhookSecret()])), 401);
      assert.equal(await send(sign([secret]), body.replace('250', '999')), 401);
      assert.equal(await send({ ...genuine, 'webhook-id': 'evt_2' }), 401);
      assert.equal(await send({ ...genuine, 'webhook-timestamp': 'now' }), 401);
      assert.equal(await send(sign([secret], ago(6))), 401);
      assert.equal(await send(sign([secret], ago(-6))), 401);
    });
  });
}

const units: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
const toMillis = (text = '') => Number(text.split(' ')[0]) * (units[text.split(' ')[1] ?? ''] ?? Number.NaN);

describe('docs/webhooks.md', () => {
  const read = (path: string) => readFile(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');

  it('has the delays of all attempts and every type of event', async () => {
    const guide = await read('webhooks.md');
    const cells = /^\| delay after the previous one \|(.*)\|$/m.exec(guide)?.[1]?.split('|') ?? [];
    const delays = cells.map((cell) => toMillis(cell.trim()));
    const retries = delays.map((_, failures) => nextDelay({ failures, retryAfter: 0, random: 0 }));
    assert.deepEqual(delays, retries);
    assert.equal(nextDelay({ failures: delays.length, retryAfter: 0, random: 0 }), undefined);
    for (const type of eventTypes) assert(guide.includes(`\`${type}\``), type);
  });

  it('prints the receivers as they are', async () => {
    const guide = await read('webhooks.md');
    for (const { file } of receivers) {
      const code = await read(`examples/${file}`);
      assert(guide.includes(`\n${code}\`\`\`\n`), file);
    }
  });
});
