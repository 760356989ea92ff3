import { sql } from 'kysely';
import { startWorkerProcess, type WorkerProcess } from '../../harness/processes.ts';
import type { Db } from '../../src/db/database.ts';

/** A slot for one worker process. A new process starts in it whenever the old one was killed. */
export interface WorkerSlot {
  /** Each worker signs in as a different database user, so that the database shows which worker does what. */
  user: string;
  url: string;
  folder: string;
  process: WorkerProcess | undefined;
}

export async function startIn(slot: WorkerSlot): Promise<void> {
  slot.process = await startWorkerProcess(slot.url, slot.folder);
}

interface Place {
  db: Db;
  databaseUrl: string;
  folder: string;
}

/** Starts this many workers and ends them when the callback has finished. */
export async function withWorkerSlots<T>(
  { db, databaseUrl, folder }: Place,
  count: number,
  work: (slots: WorkerSlot[]) => Promise<T>,
): Promise<T> {
  const slots: WorkerSlot[] = [];
  for (let number = 1; number <= count; number++) {
    const user = `worker_${number}`;
    await sql`create role ${sql.id(user)} superuser login password ${sql.lit(user)}`.execute(db);
    const { href: url } = Object.assign(new URL(databaseUrl), { username: user, password: user });
    slots.push({ user, url, folder, process: undefined });
  }
  try {
    await Promise.all(slots.map(startIn));
    return await work(slots);
  } finally {
    for (const { process } of slots) if (process?.isRunning()) await process.end('SIGKILL');
  }
}
