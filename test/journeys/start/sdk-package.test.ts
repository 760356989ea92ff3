import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { readProgram } from '../../support/guides.ts';
import { entries, makePusher } from '../../support/sync.ts';
import { writeWorkbook } from '../../support/xlsx.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** The machine's own programs: without those that npm adds for the scripts of this repository. */
const ownPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);
/** Nothing answers at this registry: the package has no dependencies. */
const registry = 'http://127.0.0.1:9/';
const env = {
  ...process.env,
  ...{ PATH: ownPath, npm_config_loglevel: 'error', npm_config_audit: 'false', npm_config_fund: 'false' },
  npm_config_registry: registry,
};

/** Returns the version of the machine's Node, or undefined if there is none that the package supports. */
async function findNode(): Promise<string | undefined> {
  const found = await run('node', ['--version'], { env }).catch(() => undefined);
  const version = found?.stdout.trim();
  return Number(version?.slice(1).split('.')[0]) >= 20 ? version : undefined;
}

const script = `
import { SyncFailedError, TransitBenefits, verifyWebhook } from '@transit-benefits/client';
const client = new TransitBenefits();
const integration = Number(process.argv[2]);
const roster = JSON.parse(process.argv[3]);
const sync = await client.hrIntegrations.sync(integration, roster, { wait: true });
const names = [];
for await (const employee of client.employees.list()) names.push(employee.firstName);
const charges = [];
for await (const item of client.billing.export('2026-11', 'ticket-charge')) charges.push(item);
const types = [];
for await (const event of client.events.list()) types.push(event.type);
console.log(JSON.stringify({ counts: sync.counts, names: names.length, charges: charges.length, types, classes: typeof SyncFailedError, verify: typeof verifyWebhook }));
`;

const typed = `
import { TransitBenefits, type Employee } from '@transit-benefits/client';
const client = new TransitBenefits({ key: 'a:b' });
for await (const employee of client.employees.list({ statuses: ['active'] })) {
  const one: Employee = employee;
  const month: string | undefined = one.ticket?.ticketMonth;
  console.log(month);
}
`;

/** Returns the commands with which the guides install the package. One that names a version would soon be wrong. */
const readInstallations = () =>
  Promise.all(
    ['quick-start-typescript', 'client-library'].map(async (guide) => {
      const text = await readFile(join(root, `docs/${guide}.md`), 'utf8');
      return /^npm install .*\.tgz$/m.exec(text)?.[0];
    }),
  );

const node = await findNode();
const skip = node === undefined && 'no Node 20 or newer outside of node_modules: the package is not installed and run';

describe(`the package of the client library, on Node ${node}`, { skip }, () => {
  let app: TestApp;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transit-sdk-'));
    await run('npm', ['run', '-s', 'build'], { cwd: root });
    app = await startTestApp({ worker: 'without documents' });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    const [install, ...others] = await readInstallations();
    assert.deepEqual(new Set(others), new Set([install]), 'the guides install the package in the same way');
    const fromService = install?.replace('http://localhost:3000', new URL(app.url).origin) ?? 'false';
    await run('sh', ['-c', fromService], { cwd: folder, env });
  });
  after(async () => {
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has no dependencies and contains only what is needed', async () => {
    const installed = join(folder, 'node_modules');
    assert.deepEqual(
      (await readdir(installed)).filter((name) => !name.startsWith('.')),
      ['@transit-benefits'],
    );
    const manifest = JSON.parse(await readFile(join(installed, '@transit-benefits/client/package.json'), 'utf8'));
    assert.equal(manifest.dependencies, undefined);
    const files = await readdir(join(installed, '@transit-benefits/client'), { recursive: true });
    assert.deepEqual(
      files.filter((file) => /(?<!\.d)\.ts$/.test(file)),
      [],
    );
    for (const file of ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', 'dist/cjs/index.js'])
      assert(files.includes(file), file);
  });

  it('works against the service', async () => {
    const { key, integrationId } = await makePusher(app);
    await writeFile(join(folder, 'script.js'), script);
    const { stdout } = await run('node', ['script.js', String(integrationId), JSON.stringify(entries(3))], {
      cwd: folder,
      env: { ...env, TRANSIT_BENEFITS_KEY: `${key.username}:${key.password}`, TRANSIT_BENEFITS_URL: app.url },
    });
    const { counts, names, charges, types, classes, verify } = JSON.parse(stdout);
    assert.deepEqual([counts.created, names, charges, classes, verify], [3, 3, 0, 'function', 'function']);
    assert(types.includes('sync-finished'));
  });

  it('runs the quick start as printed', async () => {
    const { key } = await makePusher(app);
    await writeFile(join(folder, 'quick-start.mjs'), readProgram('quick-start-typescript', 'ts'));
    const { stdout } = await run('node', ['quick-start.mjs'], {
      cwd: folder,
      env: { ...env, TRANSIT_BENEFITS_KEY: `${key.username}:${key.password}`, TRANSIT_BENEFITS_URL: app.url },
    });
    assert.match(stdout, /Preview .*Sync succeeded/s);
  });

  it('works with require', async () => {
    const { key } = await makePusher(app);
    const program = `const { AuthenticationError, TransitBenefits } = require('@transit-benefits/client');
      new TransitBenefits().me().then(({ username }) => console.log(username, typeof AuthenticationError));`;
    await writeFile(join(folder, 'script.cjs'), program);
    const { stdout } = await run('node', ['script.cjs'], {
      cwd: folder,
      env: { ...env, TRANSIT_BENEFITS_KEY: `${key.username}:${key.password}`, TRANSIT_BENEFITS_URL: app.url },
    });
    assert.equal(stdout, `${key.username} function\n`);
  });

  it('is served under both names, and only under those', async () => {
    const { origin } = new URL(app.url);
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const get = (name: string) => fetch(`${origin}/docs/client/${name}`);
    const [stable, versioned] = await Promise.all([
      get('transit-benefits-client.tgz'),
      get(`transit-benefits-client-${version}.tgz`),
    ]);
    assert.deepEqual(await stable.bytes(), await versioned.bytes());
    assert.equal((await get('transit-benefits-client-0.0.1.tgz')).status, 404);
  });

  it('has a command line that reads what Excel writes', async () => {
    const { key, integrationId } = await makePusher(app);
    const headings = ['Personalnummer', 'Vorname', 'Nachname', 'E-Mail', 'Eintritt'];
    const row = ['1', 'Jörg', 'Groß', 'joerg@example.com', new Date('2025-02-01')];
    await writeFile(join(folder, 'liste.xlsx'), writeWorkbook({ Mitarbeiter: [headings, row] }));
    const words = ['sync', 'liste.xlsx', '--dry-run', '--json', '--integration', String(integrationId)];
    const { stdout } = await run(join(folder, 'node_modules/.bin/transit'), words, {
      cwd: folder,
      env: { ...env, TRANSIT_BENEFITS_KEY: `${key.username}:${key.password}`, TRANSIT_BENEFITS_URL: app.url },
    });
    assert.equal(JSON.parse(stdout).counts.created, 1);
    const { stdout: version } = await run('npx', ['transit', '--version'], { cwd: folder, env });
    assert.match(version, /^\d+\.\d+\.\d+(-\w+)?\n$/);
    const { stdout: script } = await run('npx', ['transit', 'completion', 'bash'], { cwd: folder, env });
    assert.match(script, /complete -o default -F _transit transit/);
  });

  for (const [module, file, text] of [
    ['nodenext', 'typed.ts', typed],
    ['node16', 'typed.mts', typed],
    ['node16', 'typed.cts', typed.replace(/^for await/m, 'async () => { for await').replace(/\}\s*$/, '}; }')],
  ] as const) {
    it(`has types that compile without the types of Node, in ${file} with ${module}`, async () => {
      await writeFile(join(folder, file), text);
      const options = ['--strict', '--noEmit', '--module', module, '--target', 'es2022', '--types', ''];
      const libraries = ['--lib', 'es2022,dom,dom.asynciterable,esnext.disposable'];
      await run(join(root, 'node_modules/.bin/tsc'), ['--ignoreConfig', ...options, ...libraries, file], {
        cwd: folder,
      }).catch(({ stdout }) => assert.fail(stdout));
    });
  }
});
