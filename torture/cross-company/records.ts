import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { insertToken } from '../../src/features/accounts/tokens.ts';
import { createLinks, signableStatuses } from '../../src/features/contracts/links.ts';
import { parseUsername } from '../../src/features/keys/credentials.ts';
import type { Random } from '../../src/operator/demo/random.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import type { Credentials, TestApp } from '../../test/support/app.ts';
import { makeCompany, makeKey, makePull } from '../../test/support/factories.ts';
import { makeUser, type PortalClient, signIn } from '../../test/support/portal.ts';
import { makeOneOfEach } from '../../test/support/records.ts';
import { addEvents, makeEndpoint } from '../../test/support/webhooks.ts';

/** Where the names that an outsider could send are stored: a column of a table. Those of `made` are stored as hashes. */
const stored = {
  employee: ['id', 'employees'],
  document: ['id', 'documents'],
  item: ['id', 'billing_items'],
  payrollExport: ['id', 'payroll_files'],
  invoice: ['id', 'invoices'],
  webhook: ['id', 'webhook_endpoints'],
  integration: ['id', 'hr_integrations'],
  invitation: ['id', 'invitations'],
  sync: ['sync_id', 'syncs'],
  pull: ['id', 'pulls'],
  contractBatch: ['id', 'contract_batches'],
  domain: ['domain', 'sso_domains'],
  name: ['last_name', 'employees'],
  hrId: ['hr_id', 'hr_links'],
  employeeEmail: ['email', 'employees'],
  userEmail: ['email', 'portal_users'],
  user: ['id', 'portal_users'],
  passkey: ['id', 'portal_passkeys'],
  etag: [`'"' || encode(sha256, 'hex') || '"'`, 'documents'],
} as const;
type Made = 'company' | 'session' | 'keyId' | 'walletToken' | 'invitationSecret' | 'signingSecret' | 'addressToken';
export type Kind = keyof typeof stored | Made;
export type Names = Record<Kind, string[]>;

/** A company with several records of each kind, and credentials that act for it. */
export interface CompanyRecords {
  companyId: CompanyId;
  key: Credentials;
  client: PortalClient;
  names: Names;
}

/** Restarts all ids at this number. A number then shows to which company it belongs, and all have nine digits. */
export async function restartIds(db: Db, from: number): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES'`.execute(db);
  for (const [index, { table, column }] of rows.entries()) {
    const first = sql.lit(from + index * 1_000_000);
    await sql`alter table ${sql.ref(table)} alter column ${sql.ref(column)} restart with ${first}`.execute(db);
  }
}

/** Gives each sync a name that is unique to the company, records, and a removal pending approval. */
async function addToSyncs(db: Db, companyId: CompanyId): Promise<void> {
  await sql`update syncs set sync_id = 'sync-' || id, held_state = 'pending', held_count = 1
    where company_id = ${companyId}`.execute(db);
  await sql`
    insert into sync_records (company_id, sync_key, hr_id, employee_id, outcome, code, detail, changes, reasons)
    select s.company_id, s.id, l.hr_id, l.employee_id, 'held', 'absent', 'Absent: ' || l.hr_id, '[]', '[]'
    from syncs s join hr_links l on l.company_id = s.company_id and l.hr_integration_id = s.hr_integration_id
    where s.company_id = ${companyId}`.execute(db);
}

/** Adds the first event of the company, and its delivery to each endpoint. */
async function addDeliveries(db: Db, companyId: CompanyId): Promise<void> {
  await addEvents(db, companyId, 1);
  await sql`
    insert into webhook_deliveries (company_id, endpoint_id, sequence, event_id, event_type, state, finished_at)
    select w.company_id, w.id, e.sequence, e.id, e.type, 'succeeded', now()
    from webhook_endpoints w join events e on e.company_id = w.company_id
    where w.company_id = ${companyId} and e.sequence = 1`.execute(db);
}

/** Adds that each user has created the endpoints. */
async function addCreators(db: Db, companyId: CompanyId): Promise<void> {
  await sql`
    insert into audit_log (company_id, actor_type, actor, action, target)
    select w.company_id, 'user', u.id, 'webhook.create', w.id::text
    from webhook_endpoints w join portal_users u on u.company_id = w.company_id
    where w.company_id = ${companyId}`.execute(db);
}

/** Gives each employee a change of the subscription, whose reason names them. */
async function addHistory(db: Db, companyId: CompanyId): Promise<void> {
  await sql`
    insert into subscription_changes (company_id, employee_id, known_on, effective_on, cause, rule, detail, from_status,
      to_status, fields, actor_type)
    select e.company_id, e.id, '2026-11-01', '2026-11-01', 'subscribe', 'start-next-month', 'Started by ' || e.last_name,
      'no-subscription', 'scheduled', '[]', 'operator'
    from employees e where e.company_id = ${companyId}`.execute(db);
}

/**
 * Adds what users prove who they are with: a domain and a provider for single sign-on, an app and a passkey of an admin.
 * Returns a token that proves their address.
 */
async function addAccess(db: Db, companyId: CompanyId, adminId: string): Promise<string> {
  await sql`
    insert into sso_domains (domain, company_id, token, proven_at)
    values (${`company-${companyId}.example`}, ${companyId}, 'x', now())`.execute(db);
  await sql`
    insert into sso_connections (company_id, issuer, client_id, encrypted_client_secret, default_roles)
    values (${companyId}, ${`https://provider-${companyId}.example`}, ${`client-${companyId}`}, 'x', '{}')`.execute(db);
  await sql`
    insert into portal_second_factors (user_id, company_id, encrypted_secret, confirmed_at)
    values (${adminId}, ${companyId}, 'x', now())`.execute(db);
  await sql`
    insert into portal_passkeys (id, user_id, company_id, name, credential_id, public_key)
    values (${randomUUID()}, ${adminId}, ${companyId}, ${`Key of ${companyId}`}, ${`credential-${companyId}`}, 'x')`.execute(
    db,
  );
  const { token } = await writeCompany(db, companyId, (tx) =>
    insertToken(tx, 'prove-address', { value: adminId, minutes: 60 }),
  );
  return token;
}

/** Gives employees a link by which they sign. Returns the secret parts of the links. */
async function addSigningLinks(db: Db, companyId: CompanyId): Promise<string[]> {
  const [status = 'scheduled'] = signableStatuses;
  const { rows } = await sql<{ id: number }>`
    update employees set contract_status = 'pending', subscription_status = ${status}, plan_type = 'deferred-plan',
      contribution_cents = null
    where company_id = ${companyId} returning id`.execute(db);
  const ids = rows.map(({ id }) => id);
  const links = await writeCompany(db, companyId, (tx) => createLinks(tx, companyId, ids, {}));
  return links.map(({ token }) => token.split('.')[1] ?? '');
}

/** Adds a pull of each integration and a decision about contracts. */
async function addPullsAndDecisions(db: Db, companyId: CompanyId): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from hr_integrations where company_id = ${companyId}`.execute(
    db,
  );
  for (const { id } of rows) await makePull(db, companyId, id);
  await sql`
    insert into contract_batches (company_id, decision, actor_type, total, created_at, finished_at)
    values (${companyId}, 'contract-accepted', 'operator', 0, now(), now())`.execute(db);
}

export async function makeRecords(app: TestApp, idsFrom: number): Promise<CompanyRecords> {
  const { db } = app;
  await restartIds(db, idsFrom);
  const companyId = await makeCompany(db, `Company of ${idsFrom}`);
  const made: Record<Made, string[]> = {
    company: [String(companyId)],
    session: [],
    keyId: [],
    walletToken: [],
    invitationSecret: [],
    signingSecret: [],
    addressToken: [],
  };
  for (let count = 0; count < 3; count++) {
    made.walletToken.push((await makeOneOfEach(app, companyId)).pass.split('.')[1] ?? '');
    await makeEndpoint(db, companyId);
  }
  await addDeliveries(db, companyId);
  await addToSyncs(db, companyId);
  await addHistory(db, companyId);
  await addPullsAndDecisions(db, companyId);
  const [admin, viewer] = [await makeUser(app, companyId, 'admin'), await makeUser(app, companyId, 'viewer')];
  await addCreators(db, companyId);
  const client = await signIn(app, admin);
  const { rows: sessions } = await sql<{ id: string }>`
    select s.id from portal_sessions s where s.user_id = ${admin.id}`.execute(db);
  made.session.push(...sessions.map(({ id }) => id));
  made.addressToken.push(await addAccess(db, companyId, admin.id));
  made.signingSecret.push(...(await addSigningLinks(db, companyId)));
  const [key, otherKey] = [await makeKey(db, companyId), await makeKey(db, companyId)];
  for (const [{ username }, { id }] of [[key, admin] as const, [otherKey, viewer] as const]) {
    const keyId = parseUsername(username)?.keyId ?? '';
    await sql`update api_keys set created_by = ${id} where company_id = ${companyId} and id = ${keyId}`.execute(db);
    made.keyId.push(keyId);
    const guest = { email: `${keyId}.${companyId}@example.com`, roles: ['viewer'] };
    const { status, body } = await client.post('/users/invitations', guest);
    assert.equal(status, 201);
    made.invitationSecret.push(String(body.data.link).split('.').at(-1) ?? '');
  }
  const names = made as Names;
  for (const [kind, [column, table]] of Object.entries(stored)) {
    const { rows } = await sql<{ value: string }>`
      select distinct ${sql.raw(column)}::text as value from ${sql.ref(table)} where company_id = ${companyId}
      order by 1`.execute(db);
    assert.ok(rows.length > 0, `the company has nothing in ${table}`);
    names[kind as Kind] = rows.map(({ value }) => value);
  }
  return { companyId, key, client, names };
}

const randomKinds: Kind[] = [
  ...(['user', 'session', 'passkey', 'keyId', 'etag'] as const),
  ...(['walletToken', 'invitationSecret', 'signingSecret', 'addressToken'] as const),
];
const isRandom = (kind: string) => randomKinds.includes(kind as Kind);

/** Returns names of the same form that belong to no company. Their ids begin at `to` instead of `from`. */
export function namesOfNobody(theirs: Names, from: number, to: number, random: Random): Names {
  const moved = (value: string) =>
    value.replaceAll(/\d{9}/g, (number) => String(Number(number) - from + to)).replace('@', '.nobody@');
  const scrambled = (value: string) => value.replaceAll(/[0-9a-f]/g, () => random.int(0, 15).toString(16));
  const names = Object.entries(theirs).map(([kind, all]) => [kind, all.map(isRandom(kind) ? scrambled : moved)]);
  return Object.fromEntries(names);
}

/** Reads everything of the company by table: its rows, accounts and sessions of its users, and its jobs. */
export async function readRows(db: Db, companyId: CompanyId): Promise<Map<string, string[]>> {
  const { rows: tables } = await sql<{ table: string }>`
    select c.table_name as table from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'company_id' and t.table_type = 'BASE TABLE'`.execute(db);
  const ofUsers = sql`user_id in (select id from portal_users where company_id = ${companyId})`;
  const sources = new Map([
    // A failed sign-in, see below, counts as a change.
    ...tables
      .filter(({ table }) => table !== 'company_versions')
      .map(({ table }) => [table, sql`company_id = ${companyId}`] as const),
    ['companies', sql`id = ${companyId}`],
    ['portal_sessions', ofUsers],
    ['portal_accounts', ofUsers],
  ]);
  const rows = new Map<string, string[]>();
  const read = async (table: string, query: ReturnType<typeof sql<{ row: string }>>) =>
    rows.set(
      table,
      (await query.execute(db)).rows.map(({ row }) => row),
    );
  for (const [table, condition] of sources) {
    // A guessed password correctly leaves a failed sign-in behind.
    await read(
      table,
      sql`select to_jsonb(t)::text as row from ${sql.ref(table)} t
      where ${condition} and (to_jsonb(t) ->> 'action' = 'session.sign-in-failed') is not true order by 1`,
    );
  }
  const ofCompany = sql`data ->> 'companyId' = ${String(companyId)}`;
  await read('jobs', sql`select data::text as row from queue.job where ${ofCompany} order by 1`);
  return rows;
}

/** Returns the values in rows of their company that are in none of ours. Responses to us must never contain them. */
export async function listMarks(db: Db, theirs: CompanyId, ours: CompanyId): Promise<string[]> {
  const valuesOf = async (companyId: CompanyId) => {
    const values = new Set<string>();
    for (const row of [...(await readRows(db, companyId)).values()].flat()) {
      JSON.parse(row, (_key, value) => {
        if (typeof value === 'string' || typeof value === 'number') values.add(String(value));
        return value;
      });
    }
    return values;
  };
  const values = (await valuesOf(theirs)).difference(await valuesOf(ours));
  return [...values].filter((value) => value.length >= 6);
}
