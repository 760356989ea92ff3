import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import { emailKey } from '../../domain/search.ts';
import type { DailyRunDeps } from '../../features/daily-run/run.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { DemoClock } from './clock.ts';
import type { ConnectionName } from './connections.ts';
import type { DemoHrSystem } from './hr-system.ts';

/** The portal user of the demo. All decisions are recorded as theirs. */
export const demoUserId = 'demo';
export const demoUserName = 'Dana Demo';

/** The state of the demo company while its year is processed. */
export interface DemoContext {
  tx: Tx;
  companyId: CompanyId;
  deps: DailyRunDeps & { clock: DemoClock };
  /** The username of the key that pushes the rosters. */
  username: string;
  integrationIds: Map<ConnectionName, number>;
  hrSystem: DemoHrSystem;
}

/** An action at a time of a day. */
export interface Action {
  on: Day;
  /** HH:MM */
  time: string;
  run(context: DemoContext): Promise<unknown>;
}

export function integrationId({ integrationIds }: DemoContext, name: ConnectionName): number {
  const id = integrationIds.get(name);
  if (id === undefined) throw new Error(`The integration "${name}" of the demo is not connected yet.`);
  return id;
}

export async function findEmployeeId({ tx, companyId }: DemoContext, email: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.email_key = ${emailKey(email)}
      and e.removed_at is null`.execute(tx);
  return rows[0]?.id;
}
