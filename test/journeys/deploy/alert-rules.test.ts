import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '../../../deploy/prometheus');
const isInstalled = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);
const skip = isInstalled ? false : 'promtool not found (Debian: apt install prometheus).';
const promtool = (...words: string[]) => run('promtool', words, { cwd: folder });

describe('The alert rules', () => {
  it('are valid, and so is the example of a configuration', { skip }, async () => {
    await promtool('check', 'rules', 'rules.yml');
    await promtool('check', 'config', 'prometheus.yml');
  });

  it('fire and do not fire as their tests expect', { skip }, async () => {
    await promtool('test', 'rules', 'rules.test.yml');
  });
});
