import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import { isDistributed } from '../shards.ts';

/**
 * Protects the audit log on a Citus cluster, where its functions cannot run with the privileges of the owner: Citus refuses
 * statements of a second role once a transaction has changed rows of the company. They run as the service instead, which
 * gets what they need, and policies for what it must not do (docs/decisions/0027-citus.md). Citus allows no subqueries in
 * policies.
 */
const policies = [
  { name: 'audit_read', command: 'select', condition: 'using (true)' },
  { name: 'audit_append', command: 'insert', condition: 'with check (true)' },
  // The entry stays, and says who did what and when.
  {
    name: 'audit_redact',
    command: 'update',
    // Not `is not null`, which Citus 13.2 fails to transform in a policy.
    condition: `using (public.audit_subject(action, target, detail) <> '') with check (detail = '{}')`,
  },
  { name: 'audit_expire', command: 'delete', condition: `using (at < now() - interval '30 days')` },
];

const functions = ['redact_audit_log(bigint, text[])', 'expire_audit_log(bigint, timestamptz)'];

async function setFunctionsSecurity(tx: Tx, isDefiner: boolean): Promise<void> {
  for (const name of functions) {
    const { rows } = await sql`
      select from pg_proc where oid = ${`public.${name}`}::regprocedure and prosecdef <> ${isDefiner}`.execute(tx);
    const security = sql.raw(isDefiner ? 'definer' : 'invoker');
    if (rows.length > 0) await sql`alter function public.${sql.raw(name)} security ${security}`.execute(tx);
  }
}

interface Protection {
  isOn: boolean;
  mayRedact: boolean;
  policies: string[];
}

async function readProtection(tx: Tx, role: string): Promise<Protection | undefined> {
  const { rows } = await sql<Protection>`
    select c.relrowsecurity as "isOn", has_column_privilege(${role}, c.oid, 'detail', 'update') as "mayRedact",
      array(select p.polname::text from pg_policy p
        where p.polrelid = c.oid and (select r.oid from pg_roles r where r.rolname = ${role}) = any(p.polroles)) as policies
    from pg_class c where c.oid = 'public.audit_log'::regclass`.execute(tx);
  return rows[0];
}

/** Limits what the role of the service can do to the audit log. Changes only what differs. */
export async function protectAudit(tx: Tx, role: string): Promise<void> {
  const isSpread = await isDistributed(tx, 'audit_log');
  await setFunctionsSecurity(tx, !isSpread);
  const found = await readProtection(tx, role);
  if (found === undefined) return;
  const to = sql.id(role);
  if (!isSpread) {
    // As in the dump of a cluster that was restored on one server.
    if (found.isOn) await sql`alter table audit_log disable row level security`.execute(tx);
    if (found.mayRedact) await sql`revoke update (detail) on audit_log from ${to}`.execute(tx);
    return;
  }
  for (const { name, command, condition } of policies.filter(({ name }) => !found.policies.includes(name))) {
    const policy = sql.id(name);
    // The service may have had another role before.
    await sql`drop policy if exists ${policy} on audit_log`.execute(tx);
    await sql`create policy ${policy} on audit_log for ${sql.raw(command)} to ${to} ${sql.raw(condition)}`.execute(tx);
  }
  if (!found.isOn) await sql`alter table audit_log enable row level security`.execute(tx);
  if (!found.mayRedact) await sql`grant update (detail) on audit_log to ${to}`.execute(tx);
}
