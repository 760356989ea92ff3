import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ofCompany } from '../../../src/platform/db/company-scope.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { makeCompany, makeEmployee, makeIntegration, makeKey } from '../../support/factories.ts';
import { readProgram } from '../../support/guides.ts';

const root = new URL('../../../', import.meta.url);

const lacks = (program: string, args: string[]) => spawnSync(program, args).status !== 0;
const noCurl =
  (lacks('curl', ['--fail-with-body', '--version']) || lacks('jq', ['--version'])) &&
  'curl 7.76 or newer and jq are not installed (Debian: apt install curl jq)';
const noPython =
  lacks('python3', ['-c', 'import requests']) && 'requests is not installed (Debian: apt install python3-requests)';

/** Runs the programs in the quick starts as a reader would, each for a company of its own. */
describe('the quick starts', () => {
  let app: TestApp;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transit-quick-start-'));
    app = await startTestApp({ worker: 'without documents' });
  });
  after(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  /** Stores the program in a file and runs it for a company with two integrations, of which one accepts rosters. */
  const run = async (program: string, [command, file]: [string, string]) => {
    const companyId = await makeCompany(app.db, 'Nordwind GmbH');
    await makeEmployee(app.db, companyId, { first_name: 'Paula', subscription_status: 'paused' });
    await makeIntegration(app.db, companyId);
    const inactive = await makeIntegration(app.db, companyId);
    await app.db
      .updateTable('hr_integrations as i')
      .set({ status: 'inactive' })
      .where(ofCompany(companyId, 'i'))
      .where('i.id', '=', inactive)
      .execute();
    const { username, password } = await makeKey(app.db, companyId);
    await writeFile(join(folder, file), program.replaceAll('http://localhost:3000', new URL(app.url).origin));
    const env = {
      ...process.env,
      TRANSIT_BENEFITS_URL: new URL(app.url).origin,
      TRANSIT_BENEFITS_KEY: `${username}:${password}`,
      KEY: `${username}:${password}`,
      PYTHONIOENCODING: 'utf8',
    };
    const { stdout } = await promisify(execFile)(command, [file], { cwd: folder, env });
    const { body } = await app.request('/employees?emails=anna.mueller@example.com', { key: { username, password } });
    return { stdout, synced: body.data.data[0]?.lastName };
  };

  it('with TypeScript', async () => {
    const library = new URL('sdk/src/index.ts', root).href;
    const program = readProgram('quick-start-typescript', 'ts').replace('@transit-benefits/client', library);
    const { stdout, synced } = await run(program, [process.execPath, 'quick-start.mjs']);
    assert.match(stdout, /^Nordwind GmbH: view-employees/);
    for (const line of ['Paula', 'Preview', 'Sync succeeded', 'sync-finished']) assert(stdout.includes(line), stdout);
    assert.equal(synced, 'Müller');
  });

  it('with Python', { skip: noPython }, async () => {
    const { stdout, synced } = await run(readProgram('quick-start-python', 'python'), ['python3', 'quick-start.py']);
    for (const line of ['Nordwind GmbH', 'Paula', 'Preview', 'Sync succeeded', 'sync-finished']) {
      assert(stdout.includes(line), stdout);
    }
    assert.equal(synced, 'Müller');
  });

  it('with curl', { skip: noCurl }, async () => {
    const program = `set -e\n${readProgram('quick-start-curl', 'sh')}`;
    const { stdout } = await run(program, ['sh', 'quick-start.sh']);
    for (const part of ['"keyName"', '"Paula"', '"sync-preview"', '"quick-start-1"', '"nextAfter"']) {
      assert(stdout.includes(part), stdout);
    }
  });

  it('of the roster guide: a preview, then the sync', { skip: noCurl }, async () => {
    const { stdout } = await run(readProgram('sync-your-roster', 'sh', 'A complete example'), ['sh', 'example.sh']);
    const [preview = -1, stored = -1, outcome = -1] = ['"sync-preview"', '204 No Content', '"syncId"'].map((part) =>
      stdout.lastIndexOf(part),
    );
    assert(preview >= 0 && preview < stored && stored < outcome, stdout);
  });
});
