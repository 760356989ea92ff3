import { sql } from 'kysely';
import type { ActorType } from '../../domain/enums.ts';
import { describeHistory, type PublicFieldChange } from '../../domain/subscription/public-history.ts';
import { sourceOf } from '../../domain/subscription/sources.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import type { CompanyContext } from '../context.ts';
import type { SubscriptionChange as NamedChange } from './contract.ts';
import { assertEmployee } from './find-employee.ts';

/** A change whose actor is not named yet. */
export type SubscriptionChange = Omit<NamedChange, 'actor' | 'fields'> & {
  fields: PublicFieldChange[];
  actor: { type: ActorType; name: string | null };
};

interface ChangeRow extends Omit<SubscriptionChange, 'source' | 'actor'> {
  actorType: ActorType;
  actorName: string | null;
}

/** Returns the history that explains the present state, oldest first. */
export async function listSubscriptionChanges(
  db: Db,
  companyId: CompanyId,
  employeeId: number,
): Promise<SubscriptionChange[]> {
  const { rows } = await sql<ChangeRow>`
    select c.known_on as "knownOn", c.effective_on as "effectiveOn", c.cause, c.rule, c.detail, c.message, c.from_status as "from",
      c.to_status as "to", c.fields, c.actor_type as "actorType", c.actor as "actorName", s.sync_id as "syncId",
      s.hr_integration_id as "hrIntegrationId", c.recorded_at as "recordedAt"
    from subscription_changes c
    left join syncs s on ${ofCompany(companyId, 's')} and s.id = c.sync_key
    where ${ofCompany(companyId, 'c')} and c.employee_id = ${employeeId} order by c.id`.execute(db);
  const fields = describeHistory(rows);
  return rows.map(({ actorType, actorName, recordedAt, ...change }, index) => ({
    ...change,
    fields: fields[index] ?? [],
    source: sourceOf(change.cause, actorType, change.syncId !== null),
    actor: { type: actorType, name: actorName },
    recordedAt: presentTimestamp(recordedAt),
  }));
}

export async function listHistory({ db, companyId }: CompanyContext, { employee }: { employee: number }) {
  await assertEmployee(db, companyId, employee);
  return (await listSubscriptionChanges(db, companyId, employee)).map(({ message: _, ...change }) => change);
}
