import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { withFolder } from '../../support/process.ts';
import { until } from '../../support/until.ts';

const root = join(import.meta.dirname, '../../..');

/** A test that prints the ids of its process and of a process of the database server, and never ends. */
const endless = `
import { it } from 'node:test';
import { createTestDatabase, withConnection } from '${root}/test/support/database.ts';
it('never ends', async () => {
  const { adminUrl } = await createTestDatabase();
  await withConnection(adminUrl, async (client) => {
    const { rows } = await client.query('select pg_backend_pid() as pid');
    console.log('pids:', process.pid, rows[0].pid);
    await new Promise((resolve) => setTimeout(resolve, 3_600_000));
  });
});`;

const parentOf = (pid: string) => /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
/** A zombie has ended: its new parent may reap it late. */
const isRunning = (pid: string) =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/status`, 'utf8').includes('State:\tZ');

const skip = !existsSync('/proc/self/status') && 'needs /proc';

it('a run that is killed leaves neither processes nor a database server behind', { skip }, () =>
  withFolder(async (folder) => {
    const file = join(folder, 'endless.test.ts');
    await writeFile(file, endless);
    const { PATH, HOME, TMPDIR } = process.env;
    const runner = spawn(process.execPath, [join(root, 'test/run.ts'), 'fast', file], {
      cwd: root,
      env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    runner.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const findPids = () => /pids: (\d+) (\d+)/.exec(output);
    await until('the test runs', () => findPids() !== null || runner.exitCode !== null);
    const [, worker = '', backend = ''] = findPids() ?? assert.fail(output);
    const server = parentOf(backend);
    const data = readlinkSync(`/proc/${server}/cwd`);
    assert(existsSync(data));
    runner.kill('SIGKILL');
    await until('all of its processes have ended', () => ![worker, backend, server].some(isRunning));
    await until('the files of the server are gone', () => !existsSync(data));
  }),
);
