import { execFile } from 'node:child_process';
import { cp, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atMost, info, type Metric } from '../harness/metrics.ts';
import { readProcessorOfTree } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { withFolder } from '../test/support/process.ts';

interface Plan {
  rounds: number;
}

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

/** Returns what the files of a folder take on disk, in MB of 2^20 bytes. One with two names counts once, such as the runtime. */
async function sizeOf(folder: string): Promise<number> {
  const blocks = new Map<number, number>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = await lstat(join(entry.parentPath, entry.name));
    blocks.set(file.ino, file.blocks);
  }
  return ([...blocks.values()].reduce((sum, one) => sum + one, 0) * 512) / 2 ** 20;
}

/** Copies the project as it is committed, installs it as the README says, and measures what that took. */
const install = () =>
  withFolder(async (folder) => {
    const { stdout } = await run('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 2 ** 26 });
    for (const path of stdout.split('\0').filter(Boolean)) await cp(join(root, path), join(folder, path));
    const before = await readProcessorOfTree(process.pid);
    // Packages come from the cache that the installation of this folder has filled.
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: 2 ** 26 });
    const seconds = ((await readProcessorOfTree(process.pid)) - before) / 1_000;
    const modules = join(folder, 'node_modules');
    const packages = (await readdir(modules)).filter((name) => !name.startsWith('.')).length;
    return { seconds, packages, size: await sizeOf(modules) };
  });

async function measure({ rounds }: Plan): Promise<Metric[]> {
  const found: Awaited<ReturnType<typeof install>>[] = [];
  for (let round = 0; round < rounds; round++) found.push(await install());
  const least = (name: keyof (typeof found)[number]) => Math.min(...found.map((one) => one[name]));
  return [
    info('installations', rounds),
    atMost('npm ci with the pages, processor seconds', least('seconds'), 35),
    // A scope counts as one.
    atMost('entries at the top level of node_modules', least('packages'), 349),
    atMost('packages, MB on disk', least('size'), 700),
  ];
}

export const installScenario: Scenario<Plan> = {
  name: 'install',
  title: 'Installs the project into an empty folder with a filled cache, as the README says, and builds its pages',
  plans: { full: { rounds: 2 }, quick: { rounds: 1 } },
  run: measure,
};
