import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { type Integration, ofIntegration } from '../companies/companies.ts';

/** Changes are collected for so long, or until there are so many. Then they become one sync. */
export const collectSeconds = 60;
const maxChanges = 500;

/** Counts an accepted change, and adds the job that collects it. By real time, as the queue works. */
export async function countScimChange(
  tx: Tx,
  queue: Pick<Enqueue, 'enqueueScimChanges'>,
  target: Integration,
): Promise<void> {
  const now = Temporal.Now.instant();
  const latest = now.add({ seconds: collectSeconds });
  const { rows } = await sql<{ changes: number }>`
    update scim_connections c set changes = c.changes + 1,
      collect_at = case when c.changes + 1 >= ${maxChanges} then ${now.toString()}::timestamptz
        else least(c.collect_at, ${latest.toString()}::timestamptz) end
    where ${ofIntegration(target, 'c')} returning c.changes`.execute(tx);
  const changes = rows[0]?.changes ?? 0;
  if (changes === 1) await queue.enqueueScimChanges(tx, target.companyId, target.hrIntegrationId, collectSeconds);
  else if (changes % maxChanges === 0) {
    await queue.enqueueScimChanges(tx, target.companyId, target.hrIntegrationId, 0);
  }
}
