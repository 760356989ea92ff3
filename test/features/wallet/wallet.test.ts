import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { jwtVerify } from 'jose';
import { encode } from 'uqr';
import { testMark } from '../../../src/domain/test-mark.ts';
import { createTicketSigner, verifyTicketCode } from '../../../src/features/wallet/ticket-code.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { assertProblem, withoutRequestId } from '../../support/api/problems.ts';
import { startTestApp, type TestApp, type TestResponse } from '../../support/app.ts';
import { makeCompany, makeEmployee } from '../../support/factories.ts';
import { assertSigned, manifestOf, unzipStored } from '../../support/pkpass.ts';
import { updateRows } from '../../support/rows.ts';
import { makeTicket, testFile, walletEnv } from '../../support/wallets.ts';

const kinds = ['apple', 'google'] as const;
const secret = 'k3Vb8T0l8Hn2qkqk1dYJqGx3m5rU0c6bq3Wn9tYzKQeLs';
const { publicKey } = createTicketSigner(secret, true);

/** Returns the claims of a QR code. Throws unless the environment signed it. */
function readCode(code: string) {
  const verdict = verifyTicketCode(code, publicKey);
  assert(verdict.problem === null, `${code}: ${verdict.problem}`);
  return verdict.claims;
}
const noon = Temporal.Instant.from('2026-11-15T12:00:00+01:00');
const randomToken = () => randomBytes(32).toString('base64url');
const saveAddress = 'https://pay.google.com/gp/v/save/';

describe('wallet links', () => {
  let app: TestApp;
  let companyId: CompanyId;
  let pass: string;
  let now = noon;

  before(async () => {
    const env = { ...walletEnv, PUBLIC_URL: 'https://api.example.com/transit', SECRET: secret };
    app = await startTestApp({ env, clock: { now: () => now } });
    companyId = await makeCompany(app.db, 'Muster & Söhne GmbH');
    pass = await makeTicket(app.db, companyId, await holder('Jürgen', 'Groß'), { ticket_id: 'DT-202611-000001' });
  });
  after(() => app.close());

  const holder = (first_name: string, last_name: string, company = companyId) =>
    makeEmployee(app.db, company, { first_name, last_name, date_of_birth: '1987-06-05' });
  const get = (kind: (typeof kinds)[number], which: string, method = 'GET') =>
    app.request(`/wallet/${kind}/${which}`, { method });

  async function appleFiles(which = pass): Promise<Map<string, Buffer>> {
    const response = await get('apple', which);
    assert.equal(response.status, 200, response.bytes.toString().slice(0, 500));
    return unzipStored(response.bytes);
  }
  const passJson = async (which?: string) => JSON.parse(String((await appleFiles(which)).get('pass.json')));

  async function googleClaims(which = pass) {
    const { status, headers } = await get('google', which);
    assert.equal(status, 302);
    const location = headers.get('location') ?? '';
    assert(location.startsWith(saveAddress));
    const account = JSON.parse(await readFile(testFile('google-service-account.json'), 'utf8'));
    const { payload, protectedHeader } = await jwtVerify(
      location.slice(saveAddress.length),
      createPublicKey(account.private_key),
    );
    assert.deepEqual(protectedHeader, { alg: 'RS256', typ: 'JWT' });
    // biome-ignore lint/suspicious/noExplicitAny: the claims are compared as a whole.
    return { location, account, claims: payload as any };
  }

  /** Creates a ticket with the same id as the first one, in another company. */
  async function makeElsewhere(locale = 'de-DE', time_zone = 'Europe/Berlin'): Promise<string> {
    const company = await makeCompany(app.db, 'Elsewhere');
    await app.db.updateTable('companies').set({ locale, time_zone }).where('id', '=', company).execute();
    return makeTicket(app.db, company, await holder('Ann', 'Sample', company), { ticket_id: 'DT-202611-000001' });
  }

  it('returns an uncacheable pass for Apple Wallet', async () => {
    const { status, headers, bytes } = await get('apple', pass);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/vnd.apple.pkpass');
    assert.equal(headers.get('content-length'), String(bytes.length));
    assert.equal(headers.get('content-disposition'), 'attachment; filename=deutschlandticket-2026-11.pkpass');
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  it('shows name, validity, employer and ticket on it, in German, and nothing else', async () => {
    const shown = await passJson();
    const [{ message }] = shown.barcodes;
    assert.deepEqual(readCode(message), { companyId, ticketId: 'DT-202611-000001' });
    assert.deepEqual(shown, {
      formatVersion: 1,
      passTypeIdentifier: 'pass.com.example.transit.test',
      teamIdentifier: 'TESTTEAM01',
      serialNumber: 'DT-202611-000001',
      organizationName: 'Muster & Söhne GmbH',
      description: 'TEST · Deutschlandticket Job, November 2026',
      logoText: 'TEST · Deutschlandticket Job',
      sharingProhibited: true,
      backgroundColor: 'rgb(180, 35, 24)',
      foregroundColor: 'rgb(255, 255, 255)',
      labelColor: 'rgb(254, 228, 226)',
      expirationDate: '2026-11-30T22:59:59.000Z',
      barcodes: [
        {
          format: 'PKBarcodeFormatQR',
          message,
          altText: 'DT-202611-000001',
          messageEncoding: 'utf-8',
        },
      ],
      generic: {
        headerFields: [{ key: 'month', label: 'Monat', value: '11/2026' }],
        primaryFields: [{ key: 'holder', label: 'Name', value: 'Jürgen Groß' }],
        secondaryFields: [{ key: 'validity', label: 'Gültig', value: '01.11.2026 – 30.11.2026' }],
        auxiliaryFields: [
          { key: 'employer', label: 'Arbeitgeber', value: 'Muster & Söhne GmbH' },
          { key: 'ticket', label: 'Ticketnummer', value: 'DT-202611-000001' },
        ],
        backFields: [{ key: 'test', label: 'TEST', value: testMark }],
      },
    });
  });

  it('packs icon and logo in three sizes, and lists the digest of every file', async () => {
    const files = await appleFiles();
    const images = ['icon', 'logo'].flatMap((name) => [`${name}.png`, `${name}@2x.png`, `${name}@3x.png`]);
    assert.deepEqual([...files.keys()].sort(), [...images, 'manifest.json', 'pass.json', 'signature'].sort());
    for (const [index, name] of images.entries()) {
      const width = (name.startsWith('icon') ? 29 : 50) * ((index % 3) + 1);
      assert.equal(files.get(name)?.readUInt32BE(16), width, `width of ${name}`);
    }
    assert.deepEqual(JSON.parse(String(files.get('manifest.json'))), manifestOf(files));
  });

  it('signs it with the certificate of the operator, and adds the one that issued it', async () => {
    const files = await appleFiles();
    const signature = files.get('signature') ?? Buffer.alloc(0);
    const certificates = assertSigned(files.get('manifest.json') ?? Buffer.alloc(0), signature);
    const expected = await Promise.all(
      ['pass.pem', 'intermediate.pem'].map(async (name) => new X509Certificate(await readFile(testFile(name)))),
    );
    const prints = (all: X509Certificate[]) => all.map(({ fingerprint256 }) => fingerprint256).sort();
    assert.deepEqual(prints(certificates), prints(expected));
    assert.throws(() => assertSigned(Buffer.from('{}'), signature));
  });

  it('redirects to Google with a pass signed by the service account', async () => {
    const { location, claims, account } = await googleClaims();
    const { iat, payload, ...rest } = claims;
    assert.deepEqual(rest, {
      iss: account.client_email,
      aud: 'google',
      typ: 'savetowallet',
      origins: ['https://api.example.com'],
    });
    assert(Math.abs(iat - Date.now() / 1000) < 60, 'Google compares iat with the real time');
    const text = (value: string) => ({ defaultValue: { language: 'de', value } });
    const issuer = walletEnv.GOOGLE_WALLET_ISSUER;
    const [{ id, ...object }] = payload.genericObjects;
    assert.match(id, new RegExp(`^${issuer}\\.[\\w-]{22}$`));
    assert.deepEqual(payload.genericClasses, [
      { id: `${issuer}.deutschlandticket-job`, multipleDevicesAndHoldersAllowedStatus: 'ONE_USER_ALL_DEVICES' },
    ]);
    assert.deepEqual(object, {
      classId: `${issuer}.deutschlandticket-job`,
      state: 'ACTIVE',
      hexBackgroundColor: '#b42318',
      cardTitle: text('TEST · Deutschlandticket Job'),
      subheader: text('November 2026'),
      header: text('Jürgen Groß'),
      textModulesData: [
        { id: 'validity', header: 'Gültig', body: '01.11.2026 – 30.11.2026' },
        { id: 'employer', header: 'Arbeitgeber', body: 'Muster & Söhne GmbH' },
      ],
      barcode: { type: 'QR_CODE', value: object.barcode.value, alternateText: 'DT-202611-000001' },
      validTimeInterval: {
        start: { date: '2026-11-01T00:00:00+01:00' },
        end: { date: '2026-11-30T23:59:59+01:00' },
      },
    });
    assert.equal(readCode(object.barcode.value).ticketId, 'DT-202611-000001');
    // Google recommends at most 1,800 characters, because browsers truncate long addresses; those that did truncated
    // them at 2,083.
    assert(location.length < 2_000, `${location.length} characters`);
  });

  it('gives tickets of two companies different objects at Google, even if their ids are equal', async () => {
    const idOf = async (which: string) => (await googleClaims(which)).claims.payload.genericObjects[0].id;
    const theirs = await makeElsewhere();
    assert.notEqual(await idOf(theirs), await idOf(pass));
    assert.equal(await idOf(pass), await idOf(pass));
  });

  for (const [locale, label, days] of [
    ['de', 'Gültig', '01.11.2026 – 30.11.2026'],
    ['de-AT', 'Gültig', '01.11.2026 – 30.11.2026'],
    ['en-US', 'Valid', '1 Nov 2026 – 30 Nov 2026'],
    ['fr-FR', 'Valid', '1 Nov 2026 – 30 Nov 2026'],
    ['den', 'Valid', '1 Nov 2026 – 30 Nov 2026'],
  ] as const) {
    it(`shows "${label}" for a company with the locale ${locale}`, async () => {
      const which = await makeElsewhere(locale);
      const { secondaryFields } = (await passJson(which)).generic;
      assert.deepEqual(secondaryFields, [{ key: 'validity', label, value: days }]);
      const [object] = (await googleClaims(which)).claims.payload.genericObjects;
      assert.equal(object.header.defaultValue.language, label === 'Gültig' ? 'de' : 'en');
      assert.deepEqual(object.textModulesData[0], { id: 'validity', header: label, body: days });
    });
  }

  it('puts the right employee on each of many concurrent passes', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Person${index}`);
    const passes = await Promise.all(
      names.map(async (name) => makeTicket(app.db, companyId, await holder(name, 'Eins'))),
    );
    const shown = await Promise.all(
      passes.map(async (which) => (await passJson(which)).generic.primaryFields[0].value),
    );
    assert.deepEqual(
      shown,
      names.map((name) => `${name} Eins`),
    );
  });

  for (const name of ['"<b>&amp;\\', '日本 😀', '\u202eabc\u200b', '%@ 100%', 'x'.repeat(200), '2026-01-01', '12']) {
    it(`shows ${JSON.stringify(name.slice(0, 20))} unchanged`, async () => {
      const which = await makeTicket(app.db, companyId, await holder(name, name));
      assert.equal((await passJson(which)).generic.primaryFields[0].value, `${name} ${name}`);
      const [object] = (await googleClaims(which)).claims.payload.genericObjects;
      assert.equal(object.header.defaultValue.value, `${name} ${name}`);
    });
  }

  it('responds to HEAD with the headers alone', async () => {
    const apple = await get('apple', pass, 'HEAD');
    assert.deepEqual([apple.status, apple.bytes.length], [200, 0]);
    assert.equal(apple.headers.get('content-type'), 'application/vnd.apple.pkpass');
    assert.match(apple.headers.get('content-length') ?? '', /^\d{4,}$/);
    const google = await get('google', pass, 'HEAD');
    assert.deepEqual([google.status, google.bytes.length], [302, 0]);
    assert(google.headers.get('location')?.startsWith(saveAddress));
    for (const kind of kinds) assert.equal((await get(kind, `1.${randomToken()}`, 'HEAD')).status, 404);
  });

  it('refuses other methods', async () => {
    for (const kind of kinds) {
      const { status, headers } = await get(kind, pass, 'POST');
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD']);
    }
  });

  describe('that are invalid', () => {
    /** Throws unless both wallets respond exactly as they do to an unknown token. */
    async function assertNowhere(which: string): Promise<void> {
      for (const kind of kinds) {
        const response = await get(kind, which);
        const unknown = await get(kind, `${companyId}.${randomToken()}`);
        assert.equal(response.status, 404, `${kind} ${which.slice(0, 80)}`);
        assert.equal(response.body.code, 'not-found');
        assert.deepEqual(withoutRequestId(response), withoutRequestId(unknown));
        const names = (headers: Headers) => [...headers.keys()].sort();
        assert.deepEqual(names(response.headers), names(unknown.headers));
      }
    }

    const malformed: [string, (token: string) => string][] = [
      ['no dot', (token) => `${companyId}${token}`],
      ['no company', (token) => `.${token}`],
      ['no token', () => `${companyId}.`],
      ['only a dot', () => '%2E'],
      ['a word', () => 'pass'],
      ['a token that is too short', (token) => `${companyId}.${token.slice(1)}`],
      ['a token that is too long', (token) => `${companyId}.${token}A`],
      ['other characters', (token) => `${companyId}.${token.slice(1)}%2B`],
      ['another case', (token) => `${companyId}.${token.toLowerCase()}`],
      ['padding', (token) => `${companyId}.${token}=`],
      ['spaces around', (token) => `%20${companyId}.${token}%20`],
      ['a line feed behind', (token) => `${companyId}.${token}%0A`],
      ['a NUL', (token) => `${companyId}.${token.slice(1)}%00`],
      ['characters beyond ASCII', (token) => `${companyId}.${encodeURIComponent(`ä${token.slice(1)}`)}`],
      ['digits beyond ASCII', (token) => `${encodeURIComponent('१')}.${token}`],
      ['a surrogate pair', (token) => `${companyId}.${encodeURIComponent(`😀${token.slice(2)}`)}`],
      ['a negative company', (token) => `-${companyId}.${token}`],
      ['company 0', (token) => `0.${token}`],
      ['a company with leading zeros', (token) => `00${companyId}.${token}`],
      ['a company with a fraction', (token) => `${companyId}.0.${token}`],
      ['a company in exponents', (token) => `1e0.${token}`],
      ['company 10^15', (token) => `1000000000000000.${token}`],
      ['company 2^53', (token) => `9007199254740992.${token}`],
      ['company 10^20', (token) => `100000000000000000000.${token}`],
      ['10,000 characters', (token) => `${companyId}.${token}${'A'.repeat(10_000)}`],
      ['a wildcard', () => `${companyId}.${'%25'.repeat(43)}`],
      ['a quote', (token) => `${companyId}.'${token.slice(1)}`],
    ];
    for (const [what, make] of malformed) {
      it(`treat ${what} as unknown`, () => assertNowhere(make(pass.split('.')[1] ?? '')));
    }

    it('treat an unknown token with a message that reveals nothing', async () => {
      const { body } = await get('apple', `${companyId}.${randomToken()}`);
      assert.equal(
        body.detail,
        'There is no pass at this URL, or its ticket is no longer valid. Read the current link from `ticket.links` of the employee.',
      );
    });

    it('treat the token of another company as unknown', async () => {
      const other = await makeCompany(app.db);
      await assertNowhere(`${other}.${pass.split('.')[1]}`);
    });

    it('treat the token of a removed employee as unknown', async () => {
      const employee = await holder('Rita', 'Removed');
      const which = await makeTicket(app.db, companyId, employee);
      assert.equal((await get('apple', which)).status, 200);
      await updateRows(app.db, 'employees', { id: employee }, { removed_at: '2026-11-10T00:00:00Z' });
      await assertNowhere(which);
    });

    it("treat a ticket as unknown after its last day in the company's time zone", async () => {
      const berlin = await makeElsewhere();
      const newYork = await makeElsewhere('en-US', 'America/New_York');
      const tokyo = await makeElsewhere('ja-JP', 'Asia/Tokyo');
      assert.equal((await passJson(newYork)).expirationDate, '2026-12-01T04:59:59.000Z');
      assert.equal((await passJson(tokyo)).expirationDate, '2026-11-30T14:59:59.000Z');
      const statuses = async (moment: string) => {
        now = Temporal.Instant.from(moment);
        return Promise.all([tokyo, berlin, newYork].map(async (which) => (await get('apple', which)).status));
      };
      try {
        assert.deepEqual(await statuses('2026-11-30T14:59:59Z'), [200, 200, 200]);
        assert.deepEqual(await statuses('2026-11-30T15:00:00Z'), [404, 200, 200]);
        assert.deepEqual(await statuses('2026-11-30T22:59:59Z'), [404, 200, 200]);
        assert.deepEqual(await statuses('2026-11-30T23:00:00Z'), [404, 404, 200]);
        await assertNowhere(berlin);
        assert.deepEqual(await statuses('2026-12-01T04:59:59Z'), [404, 404, 200]);
        assert.deepEqual(await statuses('2026-12-01T05:00:00Z'), [404, 404, 404]);
      } finally {
        now = noon;
      }
    });
  });

  it('leave no trace of holder, ticket or token in the log', async () => {
    for (const kind of kinds) {
      await get(kind, pass);
      await get(kind, `${pass}x`);
    }
    const log = app.logs.join('');
    assert.match(log, /"route":"\/v1\/wallet\/apple\/:pass","status":200/);
    for (const secret of ['Jürgen', 'Groß', 'Muster &', 'DT-2026', 'PRIVATE', pass.split('.')[1] ?? '']) {
      assert(!log.includes(secret), `${secret.slice(0, 8)} is in the log`);
    }
  });

  describe('without configuration', () => {
    for (const [name, env, missing] of [
      ['of any wallet', {}, kinds],
      ['of Apple Wallet', only('GOOGLE'), ['apple']],
      ['of Google Wallet', only('APPLE'), ['google']],
    ] as const) {
      it(`${name}, show the ticket, its code and what to do`, async () => {
        await using bare = await startTestApp({
          env: { ...env, SECRET: secret },
          databaseUrl: app.databaseUrl,
          clock: { now: () => now },
        });
        const open = (kind: string, which: string, headers: Record<string, string> = {}) =>
          bare.request(`/wallet/${kind}/${which}`, { headers });
        for (const kind of kinds) {
          assertProblem(await open(kind, `${companyId}.${randomToken()}`), 404, 'not-found');
          const shown = await open(kind, pass, { 'accept-language': 'en-GB,en;q=0.9,de;q=0.8' });
          if (!missing.some((one) => one === kind)) {
            assert.notEqual(shown.headers.get('content-type'), 'text/html; charset=utf-8');
            continue;
          }
          assertTicketPage(shown);
          assert.match(shown.bytes.toString(), /<html lang="en">.*How to use your ticket/s);
          const german = (await open(kind, pass, { 'accept-language': 'fr, de-CH;q=0.7, en;q=0.1' })).bytes.toString();
          assert.match(german, /<html lang="de">.*So nutzen Sie Ihr Ticket/s);
          assert.match((await open(kind, pass)).bytes.toString(), /<html lang="de">/, 'the language of the company');
          const other = kinds.find((one) => one !== kind && !missing.includes(one as never));
          assert.equal(german.includes(`/v1/wallet/${other}/${pass}"`), other !== undefined);
        }
      });
    }

    /** Throws unless the page contains the ticket and a QR code with its signed code, and allows nothing from elsewhere. */
    function assertTicketPage({ status, headers, bytes }: TestResponse): void {
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8']);
      assert.deepEqual([headers.get('cache-control'), headers.get('x-robots-tag')], ['no-store', 'noindex']);
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-[^']+';/);
      const page = bytes.toString();
      for (const part of [testMark, 'Jürgen Groß', 'Muster &amp; Söhne GmbH', 'DT-202611-000001'])
        assert(page.includes(part), part);
      const code = createTicketSigner(secret, true).sign({ companyId, ticketId: 'DT-202611-000001' });
      const dark = encode(code, { border: 4 }).data.flatMap((row, y) =>
        row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
      );
      assert(page.includes(`<path d="${dark.join('')}"`));
      assert.doesNotMatch(page, /<script|src=|http:\/\/(?!localhost)/);
    }
  });

  it('show people a page in their language if there is no valid ticket, whatever the link', async () => {
    await using bare = await startTestApp({ databaseUrl: app.databaseUrl });
    for (const [service, which] of [
      [app, `${companyId}.${randomToken()}`],
      [app, 'nonsense'],
      [bare, 'nonsense'],
    ] as const) {
      for (const [language, words] of [
        ['de', 'Hier gibt es kein gültiges Ticket'],
        ['en', 'There is no valid ticket here'],
      ] as const) {
        const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': language };
        const { status, bytes } = await service.request(`/wallet/apple/${which}`, { headers });
        assert.equal(status, 404);
        assert.match(bytes.toString(), new RegExp(`<html lang="${language}">.*<h1>${words}</h1>`, 's'));
      }
    }
  });

  it('show names as text, not as markup', async () => {
    await using bare = await startTestApp({ databaseUrl: app.databaseUrl, clock: { now: () => now } });
    const which = await makeTicket(app.db, companyId, await holder('<b>&"', "'><img src=x>"));
    const page = (await bare.request(`/wallet/apple/${which}`)).bytes.toString();
    assert(page.includes('&lt;b&gt;&amp;&quot; &#39;&gt;&lt;img src=x&gt;'));
  });
});

function only(wallet: 'APPLE' | 'GOOGLE'): Record<string, string> {
  return Object.fromEntries(Object.entries(walletEnv).filter(([name]) => name.startsWith(wallet)));
}
