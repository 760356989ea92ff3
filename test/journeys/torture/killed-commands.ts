import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Random } from '../../../src/operator/demo/random.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { type Finished, startProgram } from '../../support/process.ts';
import { until } from '../../support/until.ts';

export interface ServicePlace {
  databaseUrl: string;
  folder: string;
}

/** Starts a command. Its database connections have its name, which shows in the database what it does. */
function startCommand(args: string[], name: string, { databaseUrl, folder }: ServicePlace) {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', name);
  return { ...startProgram(args, { env: { DATABASE_URL: url.href, DATA_DIR: folder } }), name };
}

/** Returns the name of the process that holds the lock of the company (`lockCompany` in src/features/companies/companies.ts). */
async function findHolder(db: Db, companyId: CompanyId): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and a.datname = current_database()
      and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('company ' || ${companyId}::text, 0)`.execute(
    db,
  );
  return rows[0]?.name;
}

interface Kills {
  processes: number;
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
 * Starts the same command several times at the same moment and kills some of the processes: usually the one at work,
 * sometimes one that waits or is still starting. Returns how many were killed while they held the lock of the company,
 * and the output of the processes that were not killed.
 */
export async function killSomeOf(
  args: string[],
  place: ServicePlace,
  { db, companyId, random }: KillContext,
  kills: Kills,
): Promise<{ killedAtWork: number; survivors: Finished[] }> {
  const names = Array.from({ length: kills.processes }, (_, index) => `command ${index + 1}`);
  const processes = names.map((name) => startCommand(args, name, place));
  const running = () => processes.filter((process) => process.isRunning());
  let killedAtWork = 0;
  for (let killed = 0; killed < kills.count; killed++) {
    const isAtWork = async () => running().length === 0 || (await findHolder(db, companyId)) !== undefined;
    await until('somebody is at work', isAtWork);
    await sleep(random.int(0, kills.withinMs));
    if (running().length === 0) break;
    const holder = await findHolder(db, companyId);
    const found = running().find(({ name }) => name === holder);
    const victim = found !== undefined && random.chance(0.8) ? found : random.pick(running());
    await victim.end('SIGKILL');
    if (victim === found) killedAtWork += 1;
  }
  const finished = await Promise.all(processes.map((process) => process.finished));
  return { killedAtWork, survivors: finished.filter(({ code }) => code !== null) };
}

/** Runs the command alone and returns the value it printed. */
export async function runAlone(args: string[], place: ServicePlace): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await startCommand(args, 'alone', place).finished;
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
  return JSON.parse(stdout);
}
