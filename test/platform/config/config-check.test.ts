import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readConfig, readSettings } from '../../../src/platform/config/config.ts';
import { runInProcess } from '../../support/cli.ts';
import { type Env, withFolder } from '../../support/process.ts';

interface Report {
  settings: { setting: string; value: string | null; source: string }[];
  problems: { problem: string }[];
}

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const secret = randomBytes(16).toString('hex');

async function check(env: Env): Promise<Report & { code: number | null; stdout: string }> {
  const { code, stdout, stderr } = await runInProcess(['config', 'check', '--json'], { env });
  assert.equal(stderr, '');
  return { code, stdout, ...(JSON.parse(stdout) as Report) };
}

const find = ({ settings }: Report, name: string) => settings.find(({ setting }) => setting === name);

describe('config check', () => {
  it('prints every setting with its source and masks secrets', async () => {
    const report = await check({
      PORT: '8080',
      DATABASE_URL: 'postgres://transit:hunter2@db/transit?sslmode=require',
      DATABASE_OWNER_URL: 'postgres://owner@db/transit?password=hunter2',
      SECRET: `https://${secret}`,
      APPLE_WALLET_KEY_PASSWORD: 'hunter2',
    });
    assert.deepEqual(find(report, 'PORT'), { setting: 'PORT', value: '8080', source: 'environment' });
    assert.deepEqual(find(report, 'PUBLIC_URL'), {
      setting: 'PUBLIC_URL',
      value: 'http://localhost:8080',
      source: 'default',
    });
    assert.equal(find(report, 'DATABASE_URL')?.value, 'postgres://transit:********@db/transit?sslmode=require');
    assert.equal(find(report, 'DATABASE_OWNER_URL')?.value, 'postgres://owner@db/transit?password=********');
    assert.equal(find(report, 'SECRET')?.value, '********');
    assert.doesNotMatch(report.stdout, new RegExp(`hunter2|${secret}`));
    const embedded = await check({});
    assert.deepEqual(find(embedded, 'DATABASE_URL'), {
      setting: 'DATABASE_URL',
      value: 'embedded',
      source: 'default',
    });
    assert.deepEqual([embedded.code, embedded.problems], [0, []]);
  });

  it('reports every problem at once and exits with 1', async () => {
    const { code, problems } = await check({ ENVIRONMENT: 'production', PORT: 'http', LOG_LEVEL: 'loud' });
    assert.equal(code, 1);
    const named = ['PORT', 'PUBLIC_URL', 'DATABASE_URL', 'LOG_LEVEL', 'SECRET'];
    assert.deepEqual(
      problems.map(({ problem }) => problem.split(' ')[0]),
      named,
    );
    const { stdout } = await runInProcess(['config', 'check', '--table'], { env: { PORT: 'http' } });
    assert.match(stdout, /\nPORT +http +environment\n/);
    assert.match(stdout, /\nProblems:\nProblem\nPORT must be a whole number from 0 to 65535, but is "http"\.\n$/);
  });

  it('warns of names in .env that are not settings, and knows all that .env.example lists', async () => {
    const names = ['DATABSE_URL', 'port', 'MY_OWN', 'SECRET_FILE', 'AWS_REGION'];
    const { warnings, problems } = readSettings({}, names);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      warnings.map((warning) => warning.replace(/ in \.env is not a setting, so it has no effect\./, ':')),
      [
        'DATABSE_URL: Did you mean DATABASE_URL?',
        'port: Did you mean PORT?',
        'MY_OWN: Remove it, or correct its name.',
      ],
    );
    const example = await readFile(new URL('../../../.env.example', import.meta.url), 'utf8');
    const listed = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
    assert(listed.length > 20);
    assert.deepEqual(readSettings({}, listed).warnings, []);
  });

  it('refuses other origins of HR systems in production, and paths anywhere', async () => {
    const origins = {
      PERSONIO_URL: 'http://127.0.0.1:9100',
      HIBOB_URL: 'http://127.0.0.1:9101/v1',
      BAMBOOHR_URL: 'ftp://x',
    };
    const listed = async (env: Record<string, string>) =>
      (await check({ ...env })).problems.map(({ problem }) => problem);
    assert.deepEqual(await listed(origins), [
      'HIBOB_URL must be an origin without path, such as http://127.0.0.1:9100.',
      'BAMBOOHR_URL must be a URL that starts with http:// or https://.',
    ]);
    const inProduction = await listed({ ENVIRONMENT: 'production', PERSONIO_URL: 'https://example.com' });
    assert(inProduction.includes('PERSONIO_URL is allowed on staging only. Remove it.'));
  });

  it('refuses an address of this environment that is not its own', async () => {
    const urls = { PRODUCTION_URL: 'https://a.example', STAGING_URL: 'https://b.example' };
    assert.equal(readConfig({ ...urls, PUBLIC_URL: 'https://b.example/' }).otherUrl, 'https://a.example');
    assert.throws(
      () => readConfig(urls),
      /STAGING_URL is https:\/\/b\.example, but the PUBLIC_URL of this environment is/,
    );
  });

  it('refuses DNS servers that are no addresses', async () => {
    const listed = async (DNS_SERVERS: string) => (await check({ DNS_SERVERS })).problems;
    assert.deepEqual(await listed('9.9.9.9, [2620:fe::fe]:53,127.0.0.1:5353'), []);
    for (const wrong of ['dns.example.com', '9.9.9.9,', '127.0.0.1:x']) {
      const [{ problem } = { problem: '' }] = await listed(wrong);
      assert.match(problem, /^DNS_SERVERS must be a list of IP addresses/, wrong);
    }
  });

  it('refuses webhooks to private addresses in production', async () => {
    const refused = { problem: 'WEBHOOK_ALLOW_PRIVATE=on is not allowed in production.' };
    const listed = async (env: Env) => (await check({ WEBHOOK_ALLOW_PRIVATE: 'on', ...env })).problems;
    assert.deepEqual(await listed({}), []);
    const production = { ENVIRONMENT: 'production', PUBLIC_URL: 'https://x.example' };
    assert.deepEqual(await listed({ ...production, SECRET: secret, DATABASE_URL: 'postgres://db/transit' }), [refused]);
  });

  it('tells .env from the environment', async () => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, '.env'), 'PORT=8080\nLOG_LEVEL=error\n');
      const env = { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn' };
      const { stdout } = await promisify(execFile)(process.execPath, [main, 'config', 'check'], { cwd: folder, env });
      const report = JSON.parse(stdout);
      assert.deepEqual(find(report, 'PORT'), { setting: 'PORT', value: '8080', source: '.env' });
      assert.deepEqual(find(report, 'LOG_LEVEL'), { setting: 'LOG_LEVEL', value: 'warn', source: 'environment' });
    });
  });
});

describe('a secret in a file', () => {
  const url = 'postgres://transit:hunter2@db/transit';

  it('is used without its trailing newline, and its file is the source', async () => {
    await withFolder(async (folder) => {
      const path = (name: string) => join(folder, name);
      await writeFile(path('secret'), `${secret}\n`);
      await writeFile(path('url'), `${url}\r\n`);
      const env = { SECRET_FILE: path('secret'), DATABASE_URL_FILE: path('url'), DATABASE_OWNER_URL_FILE: path('url') };
      const config = readConfig(env);
      assert.deepEqual([config.secret, config.databaseUrl, config.databaseOwnerUrl], [secret, url, url]);
      const report = await check(env);
      assert.deepEqual(find(report, 'SECRET'), { setting: 'SECRET', value: '********', source: path('secret') });
      assert.equal(find(report, 'DATABASE_URL')?.source, path('url'));
      assert.doesNotMatch(report.stdout, new RegExp(`hunter2|${secret}`));
    });
  });

  it('is refused if it is given twice, or the file is empty or cannot be read', async () => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, 'empty'), '\n');
      await mkdir(join(folder, 'folder'));
      const refusals: [env: Env, problem: string][] = [
        [
          { SECRET: secret, SECRET_FILE: join(folder, 'x') },
          'SECRET and SECRET_FILE are both set. Remove one of them.',
        ],
        [{ SECRET_FILE: join(folder, 'empty') }, `SECRET_FILE: ${folder}/empty is empty.`],
        [{ DATABASE_URL_FILE: join(folder, 'missing') }, `DATABASE_URL_FILE: ${folder}/missing does not exist.`],
        [{ DATABASE_URL_FILE: join(folder, 'folder') }, `DATABASE_URL_FILE: ${folder}/folder is a folder.`],
      ];
      for (const [env, problem] of refusals) {
        assert.throws(() => readConfig(env), { message: problem });
        const other: Env = 'SECRET_FILE' in env ? { DATABASE_URL: url } : { SECRET: secret };
        const production = { ENVIRONMENT: 'production', PUBLIC_URL: 'https://x.example', ...other, ...env };
        assert.deepEqual((await check(production)).problems, [{ problem }]);
      }
    });
  });
});
