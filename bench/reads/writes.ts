import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/database.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import type { Client } from './requests.ts';

const writeEmployee = (db: Db, { companyId, employees }: Client) =>
  writeCompany(db, companyId, async (tx) => {
    await sql`update employees e set profile_image = null where e.company_id = ${companyId} and e.id = ${employees[0]}`.execute(
      tx,
    );
  });

/** Changes one company after the other at the given rate until it is stopped. `stop` returns how many it has changed. */
export function startWrites(db: Db, clients: Client[], perSecond: number): { stop(): Promise<number> } {
  let isOver = false;
  const run = async () => {
    const begun = performance.now();
    let written = 0;
    while (!isOver) {
      const due = ((performance.now() - begun) / 1_000) * perSecond;
      if (written < due) await writeEmployee(db, clients[written++ % clients.length] as Client);
      else await sleep(2);
    }
    return written;
  };
  const writes = run();
  return {
    stop: () => {
      isOver = true;
      return writes;
    },
  };
}
