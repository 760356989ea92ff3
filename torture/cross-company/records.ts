import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { insertToken } from '../../src/features/accounts/tokens.ts';
import { createLinks, signableStatuses } from '../../src/features/contracts/links.ts';
import { parseUsername } from '../../src/features/keys/credentials.ts';
import type { Random } from '../../src/operator/demo/random.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import type { Credentials, TestApp } from '../../test/support/app.ts';
import { makeCase, makeCompany, makeKey, makePull } from '../../test/support/factories.ts';
import { makePolicy } from '../../test/support/policies.ts';
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
  returnedRow: ['id', 'returned_rows'],
  case: ['id', 'integration_cases'],
  policy: ['id', 'policies'],
  planChange: ['id', 'plan_changes'],
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

/** A subscription as a request stores it. */
const after = JSON.stringify({
  ...{
    status: 'active',
    startOn: '2026-11-01',
    pausedOn: null,
    resumesOn: null,
    cancelledOn: null,
    reactivatedOn: null,
  },
  ...{ past: { startOn: null, pausedOn: null, cancelledOn: null, reactivatedOn: null }, nextTicketOn: '2026-12-01' },
});

async function addRest(db: Db, companyId: CompanyId, adminId: string): Promise<void> {
  await addEvents(db, companyId, 1);
  const [domain, passkey] = [`company-${companyId}.example`, randomUUID()];
  for (const statement of [
    sql`insert into webhook_deliveries (company_id, endpoint_id, sequence, event_id, event_type, state, finished_at)
      select w.company_id, w.id, e.sequence, e.id, e.type, 'succeeded', now()
      from webhook_endpoints w join events e on e.company_id = w.company_id
      where w.company_id = ${companyId} and e.sequence = 1`,
    sql`update syncs set sync_id = 'sync-' || id, held_state = 'pending', held_count = 1 where company_id = ${companyId}`,
    sql`insert into sync_records (company_id, sync_key, hr_id, employee_id, outcome, code, detail, changes, reasons)
      select s.company_id, s.id, l.hr_id, l.employee_id, 'held', 'absent', 'Absent: ' || l.hr_id, '[]', '[]'
      from syncs s join hr_links l on l.company_id = s.company_id and l.hr_integration_id = s.hr_integration_id
      where s.company_id = ${companyId}`,
    sql`insert into subscription_changes (company_id, employee_id, known_on, effective_on, cause, rule, detail, from_status,
        to_status, fields, actor_type)
      select e.company_id, e.id, '2026-11-01', '2026-11-01', 'subscribe', 'start-next-month', 'Started by ' || e.last_name,
        'no-subscription', 'scheduled', '[]', 'operator'
      from employees e where e.company_id = ${companyId}`,
    sql`insert into contract_batches (company_id, decision, actor_type, total, created_at, finished_at)
      values (${companyId}, 'contract-accepted', 'operator', 0, now(), now())`,
    sql`insert into contract_batch_items (company_id, batch_id, employee_id, outcome)
      select e.company_id, b.id, e.id, 'decided' from employees e join contract_batches b on b.company_id = e.company_id
      where e.company_id = ${companyId}`,
    sql`insert into returned_files (company_id, month, sha256, name, received_at, received_from, row_count)
      values (${companyId}, '2026-12-01', '\\x00', 'returned.csv', now(), 'upload', 1)`,
    sql`insert into returned_rows (company_id, month, sha256, row_number, cells, problem)
      values (${companyId}, '2026-12-01', '\\x00', 1, '{}', '{"key": "order-unknown", "values": {}}')`,
    sql`insert into subscription_requests (company_id, employee_id, action, side, from_on, actor_type, requested_at, before,
        after)
      select e.company_id, e.id, 'pause', 'company', '2026-12-01', 'operator', now(), '{}', ${after}
      from employees e where e.company_id = ${companyId}`,
    sql`insert into plan_change_items (company_id, change_id, employee_id, old_plan_type, new_plan_type, old_share_cents,
        new_share_cents, needs_agreement)
      select e.company_id, c.id, e.id, 'deferred-plan', 'fully-subsidized-plan', 6300, 0, false
      from employees e join plan_changes c on c.company_id = e.company_id where e.company_id = ${companyId}`,
    sql`insert into joining_invitations (company_id, employee_id, invited_at, invited_on)
      select e.company_id, e.id, now(), '2026-11-15' from employees e where e.company_id = ${companyId}`,
    sql`insert into employee_mails (company_id, employee_id, kind, occasion, urgency, language, state, expires_at,
        finished_at, last_error)
      select e.company_id, e.id, 'ticket', '2026-11', 2, 'de', 'not-sent', now(), now(), 'not-allowed'
      from employees e where e.company_id = ${companyId}`,
    sql`insert into audit_log (company_id, actor_type, actor, action, target)
      select w.company_id, 'user', u.id, 'webhook.create', w.id::text
      from webhook_endpoints w join portal_users u on u.company_id = w.company_id where w.company_id = ${companyId}`,
    sql`insert into sso_domains (domain, company_id, token, proven_at) values (${domain}, ${companyId}, 'x', now())`,
    sql`insert into sso_connections (company_id, issuer, client_id, encrypted_client_secret, default_roles)
      values (${companyId}, ${`https://provider-${companyId}.example`}, ${`client-${companyId}`}, 'x', '{}')`,
    sql`insert into portal_second_factors (user_id, company_id, encrypted_secret, confirmed_at)
      values (${adminId}, ${companyId}, 'x', now())`,
    sql`insert into portal_passkeys (id, user_id, company_id, name, credential_id, public_key)
      values (${passkey}, ${adminId}, ${companyId}, ${`Key of ${companyId}`}, ${`credential-${companyId}`}, 'x')`,
  ]) {
    await statement.execute(db);
  }
}

async function addSigningLinks(db: Db, companyId: CompanyId): Promise<string[]> {
  const [status = 'scheduled'] = signableStatuses;
  const { rows } = await sql<{ id: number }>`
    update employees set contract_status = 'pending', subscription_status = ${status}, plan_type = 'deferred-plan',
      contribution_cents = null
    where company_id = ${companyId} returning id`.execute(db);
  const ids = rows.map(({ id }) => id);
  const links = await writeCompany(db, companyId, (tx) => createLinks(tx, companyId, ids, { by: {} }));
  return links.map(({ token }) => token.split('.')[1] ?? '');
}

export async function makeRecords(app: TestApp, idsFrom: number): Promise<CompanyRecords> {
  const { db } = app;
  await restartIds(db, idsFrom);
  const companyId = await makeCompany(db, `Company of ${idsFrom}`);
  const walletToken: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { pass, ids } = await makeOneOfEach(app, companyId);
    walletToken.push(pass.split('.')[1] ?? '');
    await makePull(db, companyId, ids['hr-integrations']);
    await makeCase(db, companyId, ids['hr-integrations']);
    await makeEndpoint(db, companyId);
  }
  const [admin, viewer] = [await makeUser(app, companyId, 'admin'), await makeUser(app, companyId, 'viewer')];
  const client = await signIn(app, admin);
  await makePolicy(client, `Policy of ${idsFrom}`);
  await addRest(db, companyId, admin.id);
  const { rows: sessions } = await sql<{ id: string }>`
    select s.id from portal_sessions s where s.user_id = ${admin.id}`.execute(db);
  const proof = { value: admin.id, minutes: 60 };
  const { token } = await writeCompany(db, companyId, (tx) => insertToken(tx, 'prove-address', proof));
  const made: Record<Made, string[]> = {
    company: [String(companyId)],
    session: sessions.map(({ id }) => id),
    keyId: [],
    walletToken,
    invitationSecret: [],
    signingSecret: await addSigningLinks(db, companyId),
    addressToken: [token],
  };
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

export function namesOfNobody(theirs: Names, from: number, to: number, random: Random): Names {
  const moved = (value: string) =>
    value.replaceAll(/\d{9}/g, (number) => String(Number(number) - from + to)).replace('@', '.nobody@');
  const scrambled = (value: string) => value.replaceAll(/[0-9a-f]/g, () => random.int(0, 15).toString(16));
  const names = Object.entries(theirs).map(([kind, all]) => [kind, all.map(isRandom(kind) ? scrambled : moved)]);
  return Object.fromEntries(names);
}

export async function readRows(db: Db, companyId: CompanyId): Promise<Map<string, string[]>> {
  const { rows: tables } = await sql<{ table: string }>`
    select c.table_name as table from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'company_id' and t.table_type = 'BASE TABLE'`.execute(db);
  const ofUsers = sql`user_id in (select id from portal_users where company_id = ${companyId})`;
  const ofCompany = sql`company_id = ${companyId}`;
  const read = async (rows: RawBuilder<{ row: string }>) => (await rows.execute(db)).rows.map(({ row }) => row);
  // A guessed password correctly leaves a failed sign-in behind, which counts as a change.
  const readTable = (table: string, condition: RawBuilder<unknown>) =>
    read(sql`select to_jsonb(t)::text as row from ${sql.ref(table)} t
      where ${condition} and (to_jsonb(t) ->> 'action' = 'session.sign-in-failed') is not true order by 1`);
  const found = new Map([
    ['companies', await readTable('companies', sql`id = ${companyId}`)],
    ['portal_sessions', await readTable('portal_sessions', ofUsers)],
    ['portal_accounts', await readTable('portal_accounts', ofUsers)],
    [
      'jobs',
      await read(
        sql`select data::text as row from queue.job where data ->> 'companyId' = ${`${companyId}`} order by 1`,
      ),
    ],
  ]);
  for (const { table } of tables) if (table !== 'company_versions') found.set(table, await readTable(table, ofCompany));
  return found;
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
