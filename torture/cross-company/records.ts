import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { parseUsername } from '../../src/auth/credentials.ts';
import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Random } from '../../src/demo/random.ts';
import type { Credentials, TestApp } from '../../test/support/app.ts';
import { makeCompany, makeKey } from '../../test/support/factories.ts';
import { makeUser, type PortalClient, signIn } from '../../test/support/portal.ts';
import { makeOneOfEach } from '../../test/support/records.ts';

/** Every kind of name that identifies something of a company and that an outsider could send. */
const numbers = ['company', 'employee', 'document', 'item', 'integration', 'invitation'] as const;
const words = ['sync', 'name', 'hrId', 'employeeEmail', 'userEmail'] as const;
const secrets = ['user', 'keyId', 'walletToken', 'invitationSecret', 'etag'] as const;
export type Kind = (typeof numbers)[number] | (typeof words)[number] | (typeof secrets)[number];
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

const texts = async (db: Db, column: string, table: string, companyId: CompanyId): Promise<string[]> => {
  const { rows } = await sql<{ value: string }>`
    select distinct ${sql.raw(column)}::text as value from ${sql.ref(table)} where company_id = ${companyId}
    order by 1`.execute(db);
  assert.ok(rows.length > 0, `the company has nothing in ${table}`);
  return rows.map(({ value }) => value);
};

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

async function invite(client: PortalClient, email: string): Promise<string> {
  const { status, body } = await client.post('/users/invitations', { email, role: 'viewer' });
  assert.equal(status, 201);
  return String(body.data.link).split('.').at(-1) ?? '';
}

export async function makeRecords(app: TestApp, idsFrom: number): Promise<CompanyRecords> {
  const { db } = app;
  await restartIds(db, idsFrom);
  const companyId = await makeCompany(db, `Company of ${idsFrom}`);
  const passes: string[] = [];
  for (let count = 0; count < 3; count++) passes.push((await makeOneOfEach(app, companyId)).pass);
  await addToSyncs(db, companyId);
  const keys = [await makeKey(db, companyId), await makeKey(db, companyId)];
  const [key] = keys;
  assert.ok(key);
  const users = [await makeUser(app, companyId, 'admin'), await makeUser(app, companyId, 'viewer')] as const;
  const client = await signIn(app, users[0]);
  for (const [index, { id }] of users.entries()) {
    const keyId = parseUsername(keys[index]?.username ?? '')?.keyId;
    await sql`update api_keys set created_by = ${id} where company_id = ${companyId} and id = ${keyId}`.execute(db);
  }
  const invited = [
    await invite(client, `a.${companyId}@example.com`),
    await invite(client, `b.${companyId}@example.com`),
  ];
  const all = (column: string, table: string) => texts(db, column, table, companyId);
  const names: Names = {
    company: [String(companyId)],
    employee: await all('id', 'employees'),
    document: await all('id', 'documents'),
    item: await all('id', 'billing_items'),
    integration: await all('id', 'hr_integrations'),
    invitation: await all('id', 'invitations'),
    sync: await all('sync_id', 'syncs'),
    name: await all('last_name', 'employees'),
    hrId: await all('hr_id', 'hr_links'),
    employeeEmail: await all('email', 'employees'),
    userEmail: await all('email', 'portal_users'),
    user: await all('id', 'portal_users'),
    keyId: keys.map(({ username }) => parseUsername(username)?.keyId ?? ''),
    walletToken: passes.map((pass) => pass.split('.')[1] ?? ''),
    invitationSecret: invited,
    etag: (await all(`encode(sha256, 'hex')`, 'documents')).map((digest) => `"${digest}"`),
  };
  return { companyId, key, client, names };
}

const digits = '0123456789abcdef';
const scramble = (value: string, random: Random) =>
  value.replaceAll(/[0-9a-f]/g, () => digits[random.int(0, 15)] ?? '0');

/** Returns names of the same form that belong to no company. Their ids begin at `to` instead of `from`. */
export function namesOfNobody(theirs: Names, from: number, to: number, random: Random): Names {
  const moved = (value: string) =>
    value.replaceAll(/\d{9}/g, (number) => String(Number(number) - from + to)).replace('@', '.nobody@');
  const twins = [
    ...[...numbers, ...words].map((kind) => [kind, theirs[kind].map(moved)]),
    ...secrets.map((kind) => [kind, theirs[kind].map((value) => scramble(value, random))]),
  ];
  return Object.fromEntries(twins);
}
