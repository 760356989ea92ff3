import { sql } from 'kysely';
import { type Actor, operator } from '../../domain/actor.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';

export interface AuditEntry {
  action: string;
  target?: string;
  detail?: Record<string, unknown>;
  actor?: Actor;
  /** The time by the clock of the environment. Absent: now. */
  at?: Temporal.Instant;
}

/** Who makes a change and when, if it is not the operator now. */
export type By = Pick<AuditEntry, 'actor' | 'at'>;

/** Inserts entries in the transaction of the changes that they describe, so that neither exists without the other. */
export async function insertAudits(tx: Tx, companyId: CompanyId, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx
    .insertInto('audit_log')
    .values(
      entries.map(({ actor = operator, action, target = null, detail = {}, at }) => ({
        ...{ company_id: companyId, actor_type: actor.type, actor: actor.name, action, target },
        ...{ detail: JSON.stringify(detail), ...(at ? { at: at.toString() } : {}) },
      })),
    )
    .execute();
}

export const insertAudit = (tx: Tx, companyId: CompanyId, entry: AuditEntry): Promise<void> =>
  insertAudits(tx, companyId, [entry]);

/** The removed subjects, by kind. */
type Subjects = Partial<
  Record<'employee' | 'document' | 'billing-item' | 'user' | 'invitation', readonly (number | string)[]>
>;

/**
 * Removes personal data from the entries about these subjects. The service may not change the log. A function of the
 * log's owner does, and only if the subject of an entry has been removed (migrations/0001-baseline.sql).
 * On a Citus cluster, policies allow it (src/platform/db/citus/audit-policies.ts).
 */
export async function redactAudit(tx: Tx, companyId: CompanyId, subjects: Subjects): Promise<void> {
  const all = Object.entries(subjects).flatMap(([kind, ids]) => ids.map((id) => `${kind}/${id}`));
  if (all.length > 0) await sql`select redact_audit_log(${companyId}, ${all}::text[])`.execute(tx);
}
