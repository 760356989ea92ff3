import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { builtPages, ensurePages } from '../../src/portal/build.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the pages of the portal', () => {
  let app: TestApp;
  let origin: string;

  before(async () => {
    await ensurePages('portal');
    await ensurePages('my');
    app = await startTestApp({ pages: builtPages });
    origin = new URL(app.url).origin;
  });
  after(() => app.close());

  const open = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { redirect: 'manual', headers: asBrowser, ...init });
  const assets = async () =>
    (await readdir(join(builtPages.portal, 'assets'))).filter((name) => !/\.(br|gz)$/.test(name));

  it('load in less than 300 KB of compressed script, charts included', async () => {
    const page = await (await open('/')).text();
    const entry = /src="(\/assets\/index-[^"]+\.js)"/.exec(page)?.[1] ?? '';
    const seen = new Set<string>();
    const follow = async (name: string): Promise<number> => {
      if (seen.has(name)) return 0;
      seen.add(name);
      const path = join(builtPages.portal, 'assets', name);
      const compressed = await readFile(`${path}.br`).catch(() => readFile(path));
      const statics = [...(await readFile(path, 'utf8')).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)];
      const sizes = await Promise.all(statics.map((match) => follow(match[1] ?? '')));
      return sizes.reduce((sum, size) => sum + size, compressed.length);
    };
    let bytes = await follow(entry.replace('/assets/', ''));
    assert.ok(bytes > 50_000, 'the chunks were followed');
    for (const name of await assets()) {
      if (/^(OverviewPage|MonthsChart)-.*\.js$/.test(name)) bytes += await follow(name);
    }
    assert.ok(bytes < 300_000, `${bytes} bytes`);
  });

  it('leave the sign-in of an employee at an identity provider to their page', async () => {
    const query = '?code=a%2Fb&state=my.abc&iss=https%3A%2F%2Fidp.example';
    const { status, headers } = await open(`/sso/callback/17${query}`);
    assert.deepEqual([status, headers.get('location')], [302, `/my/sso/17${query}`]);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    for (const other of ['/sso/callback/17?code=a&state=abc', '/sso/callback/x?state=my.abc', '/sso/callback/17'])
      assert.equal((await open(other)).status, 200, other);
  });

  it('have a strict content security policy with a new nonce in every response', async () => {
    const responses = await Promise.all([open('/'), open('/')]);
    const nonces = await Promise.all(
      responses.map(async (response) => {
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
        assert.equal(response.headers.get('cache-control'), 'no-store');
        const nonce = /<meta name="style-nonce" content="([\w-]{20,})">/.exec(await response.text())?.[1];
        const policy = response.headers.get('content-security-policy')?.split('; ');
        assert.deepEqual(policy, [
          "default-src 'none'",
          "script-src 'self'",
          `style-src 'self' 'nonce-${nonce}'`,
          "img-src 'self' data:",
          "font-src 'self'",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'self'",
          "frame-ancestors 'none'",
        ]);
        return nonce;
      }),
    );
    assert.notEqual(nonces[0], nonces[1]);
  });

  it('have no inline script', async () => {
    const page = await (await open('/')).text();
    const scripts = [...page.matchAll(/<script[^>]*>([^<]*)<\/script>/g)];
    assert.ok(scripts.length >= 2);
    for (const [tag, content] of scripts) {
      assert.match(tag, /src="\/assets\/[\w-]+\.js"/);
      assert.equal(content, '');
    }
  });

  it('are served for deep links, but only to browsers', async () => {
    for (const path of [
      '/employees',
      '/employees/17?tab=history',
      '/integrations/1/syncs/2026-11-14T02%3A00%3A00.000Z',
      '/nowhere',
    ]) {
      const response = await open(path);
      assert.equal(response.status, 200, path);
      assert.match(await response.text(), /<div id="root">/);
      assert.equal((await open(path, { headers: { accept: 'application/json' } })).status, 404, path);
      assert.equal((await open(path, { method: 'POST' })).status, 404, path);
    }
    assert.equal((await open('/employees', { method: 'HEAD' })).status, 200);
  });

  it('serve immutable files, compressed if the browser accepts it', async () => {
    const names = await assets();
    assert.ok(names.some((name) => name.endsWith('.css')));
    for (const name of names) {
      const response = await open(`/assets/${name}`, { headers: { 'accept-encoding': 'br' } });
      assert.equal(response.status, 200, name);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable', name);
      const original = await readFile(join(builtPages.portal, 'assets', name));
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), original);
      // Fonts are compressed already.
      const isWorthIt = original.length >= 1024 && !name.endsWith('.woff2');
      assert.equal(response.headers.get('content-encoding'), isWorthIt ? 'br' : null, name);
    }
  });

  it('respond with 404 for unknown files and routes', async () => {
    const paths = [
      '/assets/index-00000000.js',
      '/assets/none',
      '/none.js',
      '/sources.txt',
      '/index.html',
      '/assets/..%2findex.html',
      '/assets/..%2f..%2f..%2fetc%2fpasswd',
      '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
      '/assets/..%5c..%5cpackage.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/x%00.js',
      '/assets/.%2e/sources.txt',
    ];
    for (const path of paths) {
      const response = await open(path);
      assert.equal(response.status, 404, path);
      assert.match(await response.text(), /"code":"route-not-found"/, path);
    }
    for (const path of ['/v1/nowhere', '/v1', '/portal/api/nowhere']) {
      const response = await open(path);
      assert.equal(response.headers.get('content-type'), 'application/problem+json', path);
    }
    assert.match((await open('/docs/')).headers.get('content-type') ?? '', /text\/html/);
  });
});

describe('without the pages of the portal', () => {
  it('the root redirects to the API reference, and other addresses do not exist', async () => {
    await using app = await startTestApp();
    const origin = new URL(app.url).origin;
    const root = await fetch(`${origin}/`, { redirect: 'manual', headers: asBrowser });
    assert.equal(root.status, 302);
    assert.equal(root.headers.get('location'), '/docs/');
    assert.equal((await fetch(`${origin}/employees`, { headers: asBrowser })).status, 404);
  });
});
