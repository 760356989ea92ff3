import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findInstalled } from '../test/support/installed-programs.ts';
import { withFolder } from '../test/support/process.ts';
import type { Statement } from '../test/support/statements.ts';
import { executeStatements } from './processes/index.ts';

export const clients = 8;

async function pgbench(bin: string, url: string, { text, values }: Statement, seconds: number): Promise<number> {
  return withFolder(async (folder) => {
    const script = join(folder, 'statement.sql');
    await writeFile(script, `${text.replace(/\$(\d+)/g, ':p$1').replace(/\s*\n\s*/g, ' ')};\n`);
    const variables = values.flatMap((value, index) => ['-D', `p${index + 1}=${value}`]);
    const common = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', script];
    const child = spawn(join(bin, 'pgbench'), [...common, ...variables, url], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PGOPTIONS: '-c timezone=UTC' },
    });
    let [printed, complaints] = ['', ''];
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    child.stderr.on('data', (chunk) => {
      complaints += chunk;
    });
    await once(child, 'close');
    const perSecond = Number(/tps = ([\d.]+)/.exec(printed)?.[1]);
    if (!(perSecond > 0) || !/failed transactions: 0 /.test(printed))
      throw new Error(`pgbench: ${complaints}${printed}`);
    return perSecond;
  });
}

/** The anchor P: returns how often per second clients that do nothing else execute the same prepared text. */
export async function executeAlone(url: string, statement: Statement, seconds: number): Promise<number> {
  const bin = await findInstalled(['pgbench']);
  if (bin !== undefined) return pgbench(bin, url, statement, seconds);
  return (await executeStatements({ url, ...statement, clients, seconds })).perSecond;
}
