import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { describeExpiry } from '../../../src/features/wallet/apple-certificate.ts';
import type { Pass } from '../../../src/features/wallet/present.ts';
import { openWallets } from '../../../src/features/wallet/wallets.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { OperatorError } from '../../../src/platform/config/operator-error.ts';
import { pluck } from '../../support/pluck.ts';
import { run, withFolder } from '../../support/process.ts';
import { testFile, walletEnv } from '../../support/wallets.ts';

type Env = Record<string, string>;

const log = pino({ level: 'silent' });
const open = (env: Env) => openWallets(readConfig(env), log);
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(walletEnv).filter(([name]) => !names.includes(name)));

describe('settings of wallets', () => {
  let folder: string;
  const finished = Promise.withResolvers<void>();
  before(async () => {
    const made = Promise.withResolvers<string>();
    void withFolder((path) => {
      made.resolve(path);
      return finished.promise;
    });
    folder = await made.promise;
  });
  after(() => finished.resolve());

  /**
   * Writes a file with this content and returns its path. The error contains the name, so it must differ from the
   * content.
   */
  async function file(name: string, content: string | Buffer): Promise<string> {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  }

  /** Throws unless the error is one readable line for the operator that contains nothing from the files. */
  async function assertRefused(env: Env, message: RegExp): Promise<void> {
    await assert.rejects(
      async () => open({ ...walletEnv, ...env }),
      (error) => {
        assert(error instanceof OperatorError, String(error));
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\n|BEGIN|MII|s3cret/);
        return true;
      },
    );
  }

  it('may be absent: then there are no wallets', async () => {
    assert.deepEqual(await open({}), { apple: undefined, google: undefined });
    assert.deepEqual(await open({ APPLE_WALLET_TEAM: ' ', GOOGLE_WALLET_ISSUER: '' }), {
      apple: undefined,
      google: undefined,
    });
  });

  it('open the wallets when they are complete', async () => {
    const { apple, google } = await open(walletEnv);
    assert(apple && google);
    assert(Temporal.Instant.compare(apple.expiresAt, '2100-01-01T00:00:00Z') > 0);
  });

  for (const [env, message] of [
    [
      without('APPLE_WALLET_KEY', 'APPLE_WALLET_TEAM'),
      'APPLE_WALLET_KEY, APPLE_WALLET_TEAM must also be set, because APPLE_WALLET_CERTIFICATE is set.',
    ],
    [
      { APPLE_WALLET_KEY_PASSWORD: 's3cret' },
      'APPLE_WALLET_CERTIFICATE, APPLE_WALLET_KEY, APPLE_WALLET_WWDR, APPLE_WALLET_PASS_TYPE, APPLE_WALLET_TEAM must also be set, because APPLE_WALLET_KEY_PASSWORD is set.',
    ],
    [
      without('GOOGLE_WALLET_ISSUER'),
      'GOOGLE_WALLET_ISSUER must also be set, because GOOGLE_WALLET_SERVICE_ACCOUNT is set.',
    ],
    [
      { ...walletEnv, APPLE_WALLET_PASS_TYPE: 'com.example', APPLE_WALLET_TEAM: 'short', GOOGLE_WALLET_ISSUER: 'me' },
      'APPLE_WALLET_PASS_TYPE must be an identifier such as pass.com.example.ticket, but is "com.example". APPLE_WALLET_TEAM must be a team id of ten letters and digits, but is "short". GOOGLE_WALLET_ISSUER must be the number of an issuer account, but is "me".',
    ],
  ] as const) {
    it(`are refused with: ${message.slice(0, 60)}…`, () => {
      assert.throws(() => readConfig(env), { message });
    });
  }

  for (const name of [
    'APPLE_WALLET_CERTIFICATE',
    'APPLE_WALLET_KEY',
    'APPLE_WALLET_WWDR',
    'GOOGLE_WALLET_SERVICE_ACCOUNT',
  ] as const) {
    it(`refuse a ${name} that cannot be read or is something else`, async () => {
      await assertRefused({ [name]: join(folder, 'missing') }, new RegExp(`^${name}: /.*/missing does not exist\\.$`));
      await mkdir(join(folder, 'folder'), { recursive: true });
      await assertRefused({ [name]: join(folder, 'folder') }, new RegExp(`^${name}: /.*/folder is a folder\\.$`));
      for (const content of ['', 's3cret', '-----BEGIN CERTIFICATE-----\ns3cret\n', '{"private_key":"s3cret"']) {
        const path = await file('wrong', content);
        await assertRefused({ [name]: path }, new RegExp(`^${name}: /.*/wrong does not contain a .*\\.$`));
      }
    });
  }

  it('refuse a file that this user may not read', { skip: process.getuid?.() === 0 && 'root reads all' }, async () => {
    const path = await file('private', 's3cret');
    await chmod(path, 0);
    await assertRefused({ APPLE_WALLET_KEY: path }, /^APPLE_WALLET_KEY: \/.* cannot be read by this user\.$/);
  });

  it('refuse a key that does not belong to the certificate', async () => {
    for (const [type, options] of [
      ['rsa', { modulusLength: 2048 }],
      ['ec', { namedCurve: 'P-256' }],
    ] as const) {
      const { privateKey } = generateKeyPairSync(type as 'rsa', options as { modulusLength: number });
      const path = await file('other.pem', String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
      await assertRefused(
        { APPLE_WALLET_KEY: path },
        /^APPLE_WALLET_KEY does not belong to APPLE_WALLET_CERTIFICATE: use the key/,
      );
    }
  });

  it('refuse an intermediate certificate that did not issue the certificate', () =>
    assertRefused(
      { APPLE_WALLET_WWDR: testFile('pass.pem') },
      /^APPLE_WALLET_WWDR did not issue APPLE_WALLET_CERTIFICATE: download .* https:\/\/www\.apple\.com\//,
    ));

  it('refuse identifiers other than those in the certificate', async () => {
    await assertRefused(
      { APPLE_WALLET_PASS_TYPE: 'pass.com.example.other' },
      /^APPLE_WALLET_PASS_TYPE must be "pass\.com\.example\.transit\.test", as in APPLE_WALLET_CERTIFICATE\.$/,
    );
    await assertRefused({ APPLE_WALLET_TEAM: 'OTHERTEAM1' }, /^APPLE_WALLET_TEAM must be "TESTTEAM01", as/);
  });

  it('refuse a service account without an RSA key of 2048 bits', async () => {
    const account = JSON.parse(await readFile(walletEnv.GOOGLE_WALLET_SERVICE_ACCOUNT, 'utf8'));
    const { privateKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { privateKey: short } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const pem = (key: typeof curve) => key.export({ type: 'pkcs8', format: 'pem' });
    for (const fields of [
      { type: 'authorized_user' },
      { client_email: undefined },
      { private_key: undefined },
      { private_key: 's3cret' },
      { private_key: pem(curve) },
      { private_key: pem(short) },
    ]) {
      const path = await file('account.json', JSON.stringify({ ...account, ...fields }));
      await assertRefused(
        { GOOGLE_WALLET_SERVICE_ACCOUNT: path },
        /^GOOGLE_WALLET_SERVICE_ACCOUNT: \/.*\/account\.json does not contain a service account key; download one as JSON/,
      );
    }
    for (const content of ['null', '[]', '7']) {
      const path = await file('account.json', content);
      await assertRefused({ GOOGLE_WALLET_SERVICE_ACCOUNT: path }, /does not contain a service account key/);
    }
  });

  it('accept an encrypted key with its password, and certificates as Apple offers them for download', async () => {
    const key = createPrivateKey(await readFile(walletEnv.APPLE_WALLET_KEY));
    const cipher = { cipher: 'aes-256-cbc', passphrase: 's3cret' };
    const der = async (name: string) => new X509Certificate(await readFile(testFile(name))).raw;
    for (const type of ['pkcs8', 'pkcs1'] as const) {
      const path = await file('encrypted.pem', String(key.export({ type, format: 'pem', ...cipher })));
      const env = {
        APPLE_WALLET_KEY: path,
        APPLE_WALLET_CERTIFICATE: await file('pass.cer', await der('pass.pem')),
        APPLE_WALLET_WWDR: await file('wwdr.cer', await der('intermediate.pem')),
      };
      await assertRefused(env, /^APPLE_WALLET_KEY: \/.* is encrypted\. Set APPLE_WALLET_KEY_PASSWORD\.$/);
      await assertRefused(
        { ...env, APPLE_WALLET_KEY_PASSWORD: 's3cret?' },
        /^APPLE_WALLET_KEY: \/.*, or APPLE_WALLET_KEY_PASSWORD is not its password\.$/,
      );
      const { apple } = await open({ ...walletEnv, ...env, APPLE_WALLET_KEY_PASSWORD: 's3cret' });
      const made = await apple?.makePass(samplePass);
      assert.equal(made?.toString('latin1', 0, 2), 'PK');
    }
  });

  it('make the next pass after one that failed', async () => {
    const { apple } = await open(walletEnv);
    const passes = [{ ...samplePass, endsAt: 'never' }, samplePass].map((pass) => apple?.makePass(pass));
    const outcomes = await Promise.allSettled(passes);
    assert.deepEqual(pluck(outcomes, 'status'), ['rejected', 'fulfilled']);
  });

  it('report a mistake when the service starts, in one line', async () => {
    const env = { DATA_DIR: folder, DEMO: 'off', ...walletEnv, APPLE_WALLET_WWDR: join(folder, 'none.cer') };
    const { code, stdout, stderr } = await run(['serve'], env);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^APPLE_WALLET_WWDR: \/.*\/none\.cer does not exist\.\n$/);
  });

  it('cause a warning if a certificate has expired or expires within 30 days', () => {
    const expiresAt = Temporal.Instant.from('2027-03-31T10:00:00Z');
    const warningAt = (moment: string) => describeExpiry(expiresAt, Temporal.Instant.from(moment));
    assert.equal(warningAt('2027-03-01T09:59:59Z'), undefined);
    assert.match(warningAt('2027-03-01T10:00:01Z') ?? '', /^APPLE_WALLET_CERTIFICATE expires on 2027-03-31: request/);
    assert.match(warningAt('2027-03-31T10:00:00Z') ?? '', /^APPLE_WALLET_CERTIFICATE expired on 2027-03-31, and/);
  });
});

const samplePass: Pass = {
  companyId: 1,
  ticketId: 'DT-202611-000001',
  isTest: false,
  format: 'qr',
  code: 'TB1.key.claims.signature',
  language: 'de',
  product: 'Deutschlandticket Job',
  period: '2026-11',
  monthName: 'November 2026',
  month: { label: 'Monat', value: '11/2026' },
  holder: { label: 'Name', value: 'Anna Muster' },
  validity: { label: 'Gültig', value: '01.11.2026 – 30.11.2026' },
  note: null,
  employer: { label: 'Arbeitgeber', value: 'Muster GmbH' },
  ticket: { label: 'Ticketnummer', value: 'DT-202611-000001' },
  startsAt: '2026-11-01T00:00:00+01:00',
  endsAt: '2026-11-30T23:59:59+01:00',
};
