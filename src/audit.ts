import { sql } from 'kysely';
import type { CompanyId } from './db/company-scope.ts';
import type { Tx } from './db/database.ts';
import type { ActorType } from './domain/enums.ts';

export interface Actor {
  type: ActorType;
  /** Who exactly: a key's username, a person's id; null for the operator at the command line and the service itself. */
  name: string | null;
}

/** At the command line. */
export const operator: Actor = { type: 'operator', name: null };

export interface AuditEntry {
  action: string;
  target?: string;
  detail?: Record<string, unknown>;
  actor?: Actor;
  /** By the environment's clock; absent: now. */
  at?: Temporal.Instant;
}

/** Who makes a change, and when, where it is not the operator now. */
export type By = Pick<AuditEntry, 'actor' | 'at'>;

/** Written in the transaction of the change it tells of: there is no change without its entry, nor the other way round. */
export async function insertAudit(tx: Tx, companyId: CompanyId, entry: AuditEntry): Promise<void> {
  const { type, name } = entry.actor ?? operator;
  await tx
    .insertInto('audit_log')
    .values({
      company_id: companyId,
      actor_type: type,
      actor: name,
      action: entry.action,
      target: entry.target ?? null,
      detail: JSON.stringify(entry.detail ?? {}),
      ...(entry.at ? { at: entry.at.toString() } : {}),
    })
    .execute();
}

/** Who or what is gone, by kind. */
type Subjects = Partial<
  Record<'employee' | 'document' | 'billing-item' | 'user' | 'invitation', readonly (number | string)[]>
>;

/**
 * Removes what is personal from the entries about these. The service may not change the log; a function of its owner does, and
 * only where what an entry is about is gone (migrations/0013_database_roles.sql).
 */
export async function redactAudit(tx: Tx, companyId: CompanyId, subjects: Subjects): Promise<void> {
  const all = Object.entries(subjects).flatMap(([kind, ids]) => ids.map((id) => `${kind}/${id}`));
  if (all.length > 0) await sql`select redact_audit_log(${companyId}, ${all}::text[])`.execute(tx);
}
