import assert from 'node:assert/strict';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openDocumentStore } from '../../../src/features/documents/files.ts';
import { connectDatabase } from '../../../src/platform/db/database.ts';
import {
  forService,
  type InstalledPostgres,
  neededPrograms,
  withInstalledPostgres,
} from '../../../torture/support/postgres.ts';
import { startTestApp } from '../../support/app.ts';
import { makeCompany, makeDocument } from '../../support/factories.ts';
import { readProgram } from '../../support/guides.ts';
import { findInstalled, notInstalled } from '../../support/installed-programs.ts';

const main = new URL('../../../src/main.ts', import.meta.url).pathname;
const skip = (await findInstalled(neededPrograms)) === undefined && notInstalled(neededPrograms);

/** Returns the commands of a guide as printed, except that the program is not in the current folder. */
const commandsOf = (guide: string, section: string) =>
  readProgram(`operate/${guide}`, 'sh', section).replaceAll('npm run -s cli --', `'${process.execPath}' '${main}'`);

/** Creates an empty database for two roles. Returns the settings of a service that uses it, and stores in `folder`. */
async function createSettings(postgres: InstalledPostgres, name: string) {
  const owner = await postgres.createDatabase(name);
  const folder = join(postgres.folder, name);
  await mkdir(folder, { mode: 0o700 });
  return {
    owner,
    folder,
    env: { DATABASE_OWNER_URL: owner, DATABASE_URL: forService(owner), DATA_DIR: folder, HOME: folder },
  };
}

/** Returns the files below a folder that others could read. */
async function listExposed(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode));
  return names.filter((_, index) => ((modes[index] ?? 0) & 0o077) !== 0);
}

describe('the commands in the guides for operators, with two roles', { skip }, () => {
  it('create a company whose key can push rosters and read the outcome', () =>
    withInstalledPostgres(async (postgres) => {
      const { env, owner, folder } = await createSettings(postgres, 'first');
      const output = await postgres.shell(
        `'${process.execPath}' '${main}' migrate > /dev/null\n${commandsOf('install', 'First company')}`,
        folder,
        env,
      );
      const key = JSON.parse(output.trim().split('\n').at(-1) ?? '');
      await using app = await startTestApp({ databaseUrl: owner });
      const needed = [
        'view-employees',
        'add-employees',
        'update-employees',
        'remove-employees',
        'view-hr-integrations',
      ];
      assert.deepEqual((await app.request('/me', { key })).body.data.permissions.toSorted(), needed.toSorted());
      assert.equal((await app.request('/hr-integrations/1/syncs', { key })).status, 200);
    }));

  it('back up a database and its documents so that nobody else can read them, and restore both', () =>
    withInstalledPostgres(async (postgres) => {
      const source = await createSettings(postgres, 'source');
      await postgres.shell(`'${process.execPath}' '${main}' migrate`, source.folder, source.env);
      const { db, close } = connectDatabase({ url: source.owner, max: 1, applicationName: 'test' });
      const store = await openDocumentStore(join(source.folder, 'documents'));
      const companyId = await makeCompany(db, 'Nordwind GmbH');
      const file = await store.put(companyId, 'pdf', Buffer.from('a document'));
      await makeDocument(db, companyId, { file });
      const cwd = join(postgres.folder, 'work');
      await mkdir(cwd);
      await postgres.shell(commandsOf('back-up-and-restore', 'Back up'), cwd, source.env);
      await close();
      assert.deepEqual(await listExposed(cwd), []);
      await writeFile(join(cwd, 'backup/documents/written-after-the-dump.pdf'), 'x');
      const target = await createSettings(postgres, 'target');
      await postgres.shell(commandsOf('back-up-and-restore', 'Restore'), cwd, target.env);
      const restored = await readdir(join(target.folder, 'documents'), { recursive: true });
      assert.deepEqual(
        restored.filter((name) => name.endsWith('.pdf')),
        [file.key],
      );
      const company = `'${process.execPath}' '${main}' company list`;
      const [found] = JSON.parse(await postgres.shell(company, cwd, { ...target.env, DATABASE_OWNER_URL: '' }));
      assert.equal(found.name, 'Nordwind GmbH');
      assert.deepEqual(await listExposed(target.folder), []);
    }));
});
