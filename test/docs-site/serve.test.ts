import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type Document, listOperations } from '../../src/docs-site/reference/document.ts';
import { renderCurl } from '../../src/docs-site/reference/sample.ts';
import { permissions } from '../../src/domain/enums.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../support/factories.ts';
import { freePort } from '../support/process.ts';

describe('the pages under /docs', () => {
  let app: TestApp;
  let origin: string;
  before(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    app = await startTestApp({ env: { PUBLIC_URL: origin, PRODUCTION_URL: 'https://transit.example.com/' }, port });
  });
  after(() => app.close());

  it('explain every problem at the address that its type names', async () => {
    const { body } = await app.request('/employees');
    const address = new URL(body.type);
    assert.equal(address.hash, '#invalid-credentials');
    assert((await (await fetch(address)).text()).includes('id="invalid-credentials"'));
  });

  it('name both environments, as the document does without a key', async () => {
    const { servers, paths } = (await app.request('/openapi.json')).body;
    const both = [`${origin}/v1`, 'https://transit.example.com/v1'];
    assert.deepEqual(servers, [
      { url: both[0], description: 'Staging' },
      { url: both[1], description: 'Production' },
    ]);
    assert.deepEqual(paths['/openapi.json'].get.security, []);
    const page = await (await fetch(`${origin}/docs/reference`)).text();
    for (const url of both) assert(page.includes(`<code>${url}</code>`), url);
  });

  it('say the same about a refusal as the refusal itself', async () => {
    const key = await makeKey(app.db, await makeCompany(app.db), ['view-billing']);
    const { body } = await app.request('/employees', { key });
    assert.match(
      body.detail,
      /^This key lacks view-employees\. Use a key with this permission, or have an admin add it to this key/,
    );
    const page = await (await fetch(`${origin}/docs/errors`)).text();
    assert.match(page, /Use a key with the permissions listed .* or have an admin add them to this key/);
  });

  it('are compressed, validated by ETag, and allow no inline script or style', async () => {
    const response = await new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
      get(`${origin}/docs/webhooks`, { headers: { 'accept-encoding': 'gzip' } }, async (incoming) => {
        const bytes = Buffer.concat(await incoming.toArray());
        resolve({ headers: incoming.headers, bytes });
      }).on('error', reject);
    });
    assert.equal(response.headers['content-encoding'], 'gzip');
    assert.match(gunzipSync(response.bytes).toString(), /<h1 id="receive-webhooks">/);
    const policy = String(response.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|nonce/);
    const headers = { 'accept-encoding': 'gzip', 'if-none-match': String(response.headers.etag) };
    assert.equal((await fetch(`${origin}/docs/webhooks`, { headers })).status, 304);
  });

  it('are in the language that the address names, then in the one that is kept, then in that of the browser', async () => {
    const open = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${origin}${path}`, { headers });
      const language = /<html lang="(\w+)">/.exec(await response.text())?.[1];
      return { language, cookie: response.headers.get('set-cookie'), vary: response.headers.get('vary') };
    };
    const plain = { language: 'en', cookie: null, vary: 'accept-encoding, accept-language, cookie' };
    assert.deepEqual(await open('/docs/payroll'), plain);
    const ofGerman = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
    assert.equal((await open('/docs/payroll', ofGerman)).language, 'de');
    const chosen = await open('/docs/payroll?lang=en', ofGerman);
    assert.equal(chosen.language, 'en');
    assert.equal(chosen.cookie, 'docs-language=en; Path=/docs; Max-Age=31536000; SameSite=Lax');
    const kept = { ...ofGerman, cookie: 'session=x; docs-language=en' };
    assert.equal((await open('/docs/', kept)).language, 'en');
    assert.equal((await open('/docs/search?q=DATEV', kept)).language, 'en');
    assert.equal((await open('/docs/search?q=DATEV&lang=de', kept)).language, 'de');
    assert.equal((await open('/docs/?lang=xx', { cookie: 'docs-language=yy' })).language, 'en');
  });

  it('find guides without a script', async () => {
    const response = await fetch(`${origin}/docs/search?q=DATEV&q=twice&lang=de`);
    assert.equal(response.status, 200);
    const page = await (await fetch(`${origin}/docs/search?q=datev+lodas&lang=de`)).text();
    assert.match(page, /<form class="search" role="search" action="\/docs\/search">/);
    assert.match(page, /href="\/docs\/payroll#datev-lodas">Lohnexport › DATEV LODAS</);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /form-action 'self'/);
  });

  it('load few files, which browsers keep for a year', async () => {
    const page = await (await fetch(`${origin}/docs/`)).text();
    const files = [...page.matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    assert(files.length >= 4);
    let bytes = 0;
    for (const path of new Set(files)) {
      const response = await fetch(`${origin}${path}`, { headers: { 'accept-encoding': 'br' } });
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable', path);
      bytes += (await response.arrayBuffer()).byteLength;
    }
    assert(bytes < 30_000, `${bytes} bytes`);
  });

  it('refuse unknown pages and paths that lead out of the folder', async () => {
    for (const path of ['/docs/nothing', '/docs/examples/..%2Fevents.md', '/docs/assets/..%2Fdocs.css']) {
      assert.equal((await fetch(`${origin}${path}`)).status, 404, path);
    }
    const old = await fetch(`${origin}/docs`, { redirect: 'manual' });
    assert.equal(old.headers.get('location'), '/docs/');
    const former = await fetch(`${origin}/docs/guides/operate/install?lang=de`, { redirect: 'manual' });
    assert.deepEqual([former.status, former.headers.get('location')], [301, '/docs/operate/install?lang=de']);
    assert.match(await (await fetch(`${origin}/docs/examples/roster.csv`)).text(), /^hrId/);
  });

  const noCurl = !existsSync('/usr/bin/curl') && 'curl is not installed (Debian: apt install curl)';

  it('show curl commands that work as pasted', { skip: noCurl }, async () => {
    const document = (await (await fetch(`${origin}/v1/openapi.json`)).json()) as Document;
    const folder = await mkdtemp(join(tmpdir(), 'transit-docs-'));
    const companyId = await makeCompany(app.db);
    await makeIntegration(app.db, companyId);
    const { username, password } = await makeKey(app.db, companyId, permissions);
    const env = { ...process.env, KEY: `${username}:${password}` };
    try {
      for (const operation of listOperations(document)) {
        const command = `${renderCurl(document, operation)} -s -w '\\n%{http_code}'`;
        const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
        const status = Number(stdout.split('\n').at(-1));
        // The company is empty, so single records are not found.
        assert([200, 204, 404].includes(status), `${command}: ${stdout}`);
        if (status === 404) assert.match(stdout + command, /not-found|-OJ/, `${command}: ${stdout}`);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
