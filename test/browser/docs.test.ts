import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { problems } from '../../src/errors.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { freePort } from '../support/process.ts';

describe('the reference under /docs', () => {
  let app: TestApp;
  let origin: string;
  before(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    app = await startTestApp({ env: { PUBLIC_URL: origin }, port });
  });
  after(() => app.close());

  it('explains every problem at the address that its type names', async () => {
    const { body } = await app.request('/employees');
    const address = new URL(body.type);
    const page = await (await fetch(address)).text();
    for (const code of Object.keys(problems)) assert(page.includes(`id="${code}"`), `${code} is not explained`);
    assert.equal(address.hash, '#invalid-credentials');
  });

  it('allows no inline script or style but its own, by a nonce of each response', async () => {
    const nonces = new Set<string>();
    for (const path of ['/docs/', '/docs/', '/docs/errors']) {
      const response = await fetch(`${origin}${path}`);
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.doesNotMatch(policy, /unsafe-(inline|eval)/);
      const nonce = /script-src 'self' 'nonce-([\w-]{24})'/.exec(policy)?.[1] ?? '';
      assert.notEqual(nonce, '');
      nonces.add(nonce);
      const page = await response.text();
      const inline = [...page.matchAll(/<(?:script|style)\b[^>]*>/g)].map(([tag]) => tag);
      assert(inline.length > 0);
      for (const tag of inline) assert(tag.includes(`nonce="${nonce}"`), tag);
    }
    assert.equal(nonces.size, 3);
  });

  it('shows every operation, contacts no other host and logs no error', { skip: noBrowser }, async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const foreign: string[] = [];
      const errors: string[] = [];
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) foreign.push(request.url());
      });
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`${origin}/docs`);
      for (const name of [
        'List employees',
        'Download document',
        'Export billing items',
        'List HR integrations',
        'Missing employees are offboarded',
      ]) {
        await page.getByText(name, { exact: false }).first().waitFor();
      }
      assert.deepEqual(foreign, []);
      assert.deepEqual(errors, []);
    } finally {
      await browser.close();
    }
  });
});
