import { sql } from 'kysely';
import type { WorkerProcess } from '../../harness/processes.ts';
import type { Fixture } from '../support/fixture.ts';

/** A slot for one worker process. A new process starts in it whenever the old one was killed. */
export interface WorkerSlot {
  /** Each worker signs in as a different database user, so that the database shows which worker does what. */
  user: string;
  process: WorkerProcess;
  restart(): Promise<void>;
}

/** Starts this many workers. Their users have the privileges of the service's own role. */
export async function startWorkers({ db, urls, startWorker }: Fixture, count: number): Promise<WorkerSlot[]> {
  const service = new URL(urls.url).username;
  const slots: WorkerSlot[] = [];
  for (let number = 1; number <= count; number++) {
    const user = `worker_${number}`;
    await sql`create role ${sql.id(user)} login password ${sql.lit(user)} in role ${sql.id(service)}`.execute(db);
    const { href: url } = Object.assign(new URL(urls.url), { username: user, password: user });
    const slot: WorkerSlot = {
      user,
      process: await startWorker(url),
      async restart() {
        slot.process = await startWorker(url);
      },
    };
    slots.push(slot);
  }
  return slots;
}
