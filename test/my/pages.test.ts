import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { builtPages, ensurePages } from '../../src/portal/build.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

describe("the employee's page", () => {
  let app: TestApp;
  let origin: string;
  const folder = builtPages.my;

  before(async () => {
    await ensurePages('portal');
    await ensurePages('my');
    app = await startTestApp({ pages: builtPages });
    origin = new URL(app.url).origin;
  });
  after(() => app.close());

  const open = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { redirect: 'manual', headers: asBrowser, ...init });
  const assets = async () => (await readdir(join(folder, 'assets'))).filter((name) => !/\.(br|gz)$/.test(name));

  it('loads at most 120 kB of compressed script in each language, and all of it is its own', async () => {
    const scripts = (await assets()).filter((name) => name.endsWith('.js'));
    const sizes = new Map<string, number>();
    for (const name of scripts) sizes.set(name, (await readFile(join(folder, 'assets', `${name}.br`))).length);
    const sizeOf = (start: string) => [...sizes].find(([name]) => name.startsWith(start))?.[1] ?? 0;
    assert.deepEqual(scripts.map((name) => name.split('-')[0]).sort(), ['de', 'en', 'index']);
    for (const language of ['de-', 'en-']) {
      const bytes = sizeOf('index-') + sizeOf(language);
      assert(bytes > 50_000 && bytes <= 120_000, `${language} ${bytes} bytes`);
    }
    const text = await readFile(
      join(folder, 'assets', scripts.find((name) => name.startsWith('index-')) ?? ''),
      'utf8',
    );
    assert(!/mantine|react-router|tanstack/i.test(text));
  });

  it('is served below /my with strict headers, but only to browsers', async () => {
    for (const path of ['/my', '/my/', '/my/enter', '/my/subscription/pause?x=1', '/my/letter/17', '/my/nowhere']) {
      const response = await open(path);
      assert.equal(response.status, 200, path);
      assert.match(await response.text(), /<script type="module" crossorigin src="\/my\/assets\/index-/);
      assert.deepEqual(response.headers.get('content-security-policy')?.split('; '), policy);
      assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
      assert.equal(response.headers.get('x-frame-options'), 'DENY');
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal((await open(path, { headers: { accept: 'application/json' } })).status, 404, path);
      assert.equal((await open(path, { method: 'POST' })).status, 404, path);
    }
    assert.match(await (await open('/mystery')).text(), /style-nonce/, 'the portal');
  });

  it('has no inline script or style, and names no other host', async () => {
    const page = await (await open('/my')).text();
    assert(!/<style|\sstyle=|\son\w+=/.test(page));
    for (const [, content] of page.matchAll(/<script[^>]*>([^<]*)<\/script>/g)) assert.equal(content, '');
    const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    assert(addresses.length > 4);
    assert.deepEqual(
      addresses.filter((address) => !address.startsWith('/my/')),
      [],
    );
    for (const address of addresses) assert.equal((await open(address)).status, 200, address);
  });

  it('can be installed: its manifest, icons and service worker are always current', async () => {
    const manifest = await open('/my/manifest.webmanifest');
    assert.match(manifest.headers.get('content-type') ?? '', /^application\/manifest\+json/);
    const { icons, scope, start_url } = (await manifest.json()) as {
      icons: { src: string; sizes: string }[];
      scope: string;
      start_url: string;
    };
    assert.deepEqual([scope, start_url], ['/my', '/my']);
    for (const { src, sizes } of icons) {
      const response = await open(src);
      assert.equal(response.status, 200, src);
      assert.equal(response.headers.get('cache-control'), 'no-cache');
      if (!src.endsWith('.png')) continue;
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes);
    }
    const worker = await open('/my/service-worker.js');
    assert.equal(worker.headers.get('cache-control'), 'no-cache');
    assert.equal(worker.headers.get('service-worker-allowed'), '/my');
    assert.match(worker.headers.get('content-type') ?? '', /javascript/);
  });

  it('has a service worker that stores every file of this version, and nothing of the API', async () => {
    const worker = await readFile(join(folder, 'service-worker.js'), 'utf8');
    for (const name of await assets()) assert(worker.includes(`/my/assets/${name}`), name);
    assert(worker.includes('/my/api'));
  });

  it('has immutable files, compressed if the browser accepts it', async () => {
    for (const name of await assets()) {
      const response = await open(`/my/assets/${name}`, { headers: { 'accept-encoding': 'br' } });
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable', name);
      assert.equal(response.headers.get('content-encoding'), 'br', name);
    }
    for (const path of ['/my/assets/none.js', '/my/assets/..%2findex.html', '/my/sources.txt', '/my/api/nowhere']) {
      const response = await open(path, { headers: { accept: path.endsWith('txt') ? '*/*' : 'text/html' } });
      assert.equal(response.status, 404, path);
    }
  });
});
