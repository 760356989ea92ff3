import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { language as german } from '../../my/src/languages/de.ts';
import { language as english } from '../../my/src/languages/en.ts';
import { hiddenElsewhere, hiddenOfProfile, personalTables } from '../../src/my/data.ts';
import { useApp } from '../support/app.ts';
import { makeCompany, makeEmployee } from '../support/factories.ts';
import { signInEmployee } from '../support/my.ts';

const app = useApp();

describe('everything that is stored about an employee', () => {
  it('comes from every table that has their records', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.table_name as name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'employee_id' and t.table_type = 'BASE TABLE'
      order by 1`.execute(app.db);
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(personalTables).sort(),
    );
  });

  it('has a German and an English name for every field', async () => {
    const hidden = new Map<string, readonly string[]>([
      ...Object.entries(personalTables).map(([table, { hidden = [] }]) => [table, hidden] as const),
      ...Object.entries(hiddenElsewhere),
      ['employees', hiddenOfProfile],
    ]);
    const { rows } = await sql<{ table: string; column: string }>`
      select c.table_name as table, c.column_name as column from information_schema.columns c
      where c.table_schema = 'public' and c.table_name = any(${[...hidden.keys()]})
        and c.column_name not in ('company_id', 'employee_id')
      order by 1, 2`.execute(app.db);
    const shown = rows.filter(({ table, column }) => !hidden.get(table)?.includes(column));
    assert(shown.length > 150, `${shown.length} fields`);
    const names = shown.map(({ column }) =>
      column.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()),
    );
    for (const { code, fields } of [german, english]) {
      const missing = names.filter((name) => fields[name] === undefined);
      assert.deepEqual(missing, [], `add names of these fields to my/src/languages/${code}.ts`);
    }
  });

  it('contains no secret, and nothing of others', async () => {
    const companyId = await makeCompany(app.db);
    const employeeId = await makeEmployee(app.db, companyId, { first_name: 'Anna', email: 'anna.data@example.com' });
    await makeEmployee(app.db, companyId, { email: 'other.person@example.com' });
    const my = await signInEmployee(app, companyId, employeeId);
    const { status, body, bytes } = await my.get('/data');
    assert.equal(status, 200, bytes.toString());
    const [profile] = body.data.sections;
    assert.deepEqual([profile.name, profile.records[0].email], ['profile', 'anna.data@example.com']);
    const sessions = body.data.sections.find(({ name }: { name: string }) => name === 'sessions');
    assert.equal(sessions.total, 1);
    assert.doesNotMatch(bytes.toString(), /other\.person|[hH]ash|storeKey|walletToken|encrypted/);
  });

  it('is one archive, with an entry in the audit log', async () => {
    const companyId = await makeCompany(app.db);
    const employeeId = await makeEmployee(app.db, companyId);
    const my = await signInEmployee(app, companyId, employeeId);
    const { status, headers, bytes } = await my.get('/data/archive');
    assert.equal(status, 200, bytes.toString().slice(0, 500));
    assert.equal(headers.get('content-type'), 'application/zip');
    assert(bytes.includes('data.json') && bytes.includes('"sections"'));
    const { rows } = await sql`select from audit_log where company_id = ${companyId}
      and action = 'employee.download-data'`.execute(app.db);
    assert.equal(rows.length, 1);
  });
});
