import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Random } from '../../src/demo/random.ts';
import type { Finished } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';

const main = join(import.meta.dirname, '../../src/main.ts');

export interface ServicePlace {
  databaseUrl: string;
  folder: string;
}

/** A running command of the program, which may be killed. */
interface CommandProcess {
  /** The application name of its database connections. It shows in the database what the command does. */
  name: string;
  isRunning(): boolean;
  kill(): Promise<void>;
  finished: Promise<Finished>;
}

function startCommand(args: string[], name: string, { databaseUrl, folder }: ServicePlace): CommandProcess {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', name);
  const child = spawn(process.execPath, [main, ...args], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: tmpdir(),
      LOG_LEVEL: 'warn',
      DATABASE_URL: url.href,
      DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Kills the command if the test process exits early, for example on a timeout.
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const finished = once(child, 'close').then(([code]): Finished => {
    process.off('exit', endWithUs);
    return { code, ...output };
  });
  return {
    name,
    finished,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill('SIGKILL');
      await finished;
    },
  };
}

/** Returns the name of the process that holds the lock of the company (`lockCompany` in src/companies.ts). */
async function findHolder(db: Db, companyId: CompanyId): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and a.datname = current_database()
      and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('company ' || ${companyId}::text, 0)`.execute(
    db,
  );
  return rows[0]?.name;
}

export interface Kills {
  /** How many processes to kill, unless all have ended before. */
  count: number;
  /** The longest time between a process starting its work and the next kill. */
  withinMs: number;
}

interface KillContext {
  db: Db;
  companyId: CompanyId;
  random: Random;
}

/**
 * Kills processes: usually the one at work, sometimes one that waits or is still starting. Returns how many were at
 * work.
 */
async function killRunning(
  { db, companyId, random }: KillContext,
  processes: CommandProcess[],
  kills: Kills,
): Promise<number> {
  const running = () => processes.filter((process) => process.isRunning());
  let atWork = 0;
  for (let killed = 0; killed < kills.count; killed++) {
    const isAtWork = async () => running().length === 0 || (await findHolder(db, companyId)) !== undefined;
    await until('somebody is at work', isAtWork);
    await sleep(random.int(0, kills.withinMs));
    if (running().length === 0) break;
    const holder = await findHolder(db, companyId);
    const found = running().find(({ name }) => name === holder);
    const victim = found !== undefined && random.chance(0.8) ? found : random.pick(running());
    await victim.kill();
    if (victim === found) atWork += 1;
  }
  return atWork;
}

export interface KillResult {
  /** How many processes were killed while they held the lock of the company. */
  killedAtWork: number;
  /** The output of the processes that were not killed. */
  survivors: Finished[];
}

/** Starts the same command several times at the same moment and kills some of the processes. */
export async function killSomeOf(
  args: string[],
  place: ServicePlace,
  context: KillContext,
  { processes: count, ...kills }: Kills & { processes: number },
): Promise<KillResult> {
  const processes = Array.from({ length: count }, (_, index) => startCommand(args, `command ${index + 1}`, place));
  const killedAtWork = await killRunning(context, processes, kills);
  const finished = await Promise.all(processes.map((process) => process.finished));
  return { killedAtWork, survivors: finished.filter(({ code }) => code !== null) };
}

/** Runs the command alone and returns the value it printed. */
export async function runAlone(args: string[], place: ServicePlace): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await startCommand(args, 'alone', place).finished;
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
  return JSON.parse(stdout);
}
