import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import type { EmployeesQuery } from '../../../src/features/employees/contract.ts';
import { listEmployees } from '../../../src/features/employees/store.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { connectDatabase, type Database, type Db } from '../../../src/platform/db/database.ts';
import { assertInvalid } from '../../support/api/problems.ts';
import { type Credentials, testDay, useApp } from '../../support/app.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { makeCompany, makeEmployee, makeKey } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { captureStatement } from '../../support/statements.ts';

const app = useApp();

describe('GET /employees?search', () => {
  let companyId: CompanyId;
  let key: Credentials;
  before(async () => {
    companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-employees']);
    const employees: [firstName: string, lastName: string, email: string][] = [
      ['Ute', 'Müller', 'u1@example.com'],
      ['Ute', 'Mueller', 'u2@example.com'],
      ['Ute', 'Muller', 'u3@example.com'],
      ['Jörg', 'Groß', 'j1@example.com'],
      ['Joerg', 'Gross', 'j2@example.com'],
      ['Zoë', "O'Brien-Åkesson", 'z1@example.com'],
      ['Søren', 'Łukasz', 's1@example.com'],
      ['José', 'Ñandú', 'jose@example.com'],
      ['Hundred', '100%', 'h1@example.com'],
      ['Under', 'a_b', 'h2@example.com'],
      ['Back', 'a\\b', 'h3@example.com'],
      ['Plain', 'axb', 'h4@example.com'],
      ['Null', 'Word', 'n1@example.com'],
      ['Kim', 'Smith', 'travel.desk+kim@sub.example.org'],
      ['Anna Maria', 'von der Tann', 'a1@example.com'],
    ];
    for (const [first_name, last_name, email] of employees) {
      await makeEmployee(app.db, companyId, { first_name, last_name, email });
    }
    const other = await makeCompany(app.db);
    await makeEmployee(app.db, other, { first_name: 'Ute', last_name: 'Müller', email: 'u1@example.com' });
  });

  async function find(search: string): Promise<string[]> {
    const response = await app.request(`/employees?perPage=100&search=${encodeURIComponent(search)}`, { key });
    assert.equal(response.status, 200);
    const emails = response.body.data.data.map((row: { email: string }) => row.email.split('@')[0]);
    assert.equal(response.body.data.total, emails.length);
    return emails;
  }

  for (const word of [
    'Müller',
    'mueller',
    'muller',
    'MÜLLER',
    'MUELLER',
    'Mu\u0308ller',
    'mülle',
    'ueller',
    'Müllèr',
  ]) {
    it(`finds Müller, Mueller and Muller by ${word}`, async () => {
      assert.deepEqual(await find(word), ['u1', 'u2', 'u3']);
    });
  }

  for (const word of ['Groß', 'gross', 'GROSS', 'GROẞ', 'jörg', 'joerg', 'JORG']) {
    it(`finds Jörg Groß and Joerg Gross by ${word}`, async () => {
      assert.deepEqual(await find(word), ['j1', 'j2']);
    });
  }

  const cases: [search: string, found: string[], why: string][] = [
    ['zoe', ['z1'], 'accents do not matter'],
    ['ZOË', ['z1'], 'case and accents do not matter'],
    ['akesson', ['z1'], 'a word may be part of a word'],
    ["o'brien", ['z1'], 'an apostrophe is an ordinary character'],
    ['soren', ['s1'], 'letters that Unicode does not decompose are folded'],
    ['lukasz', ['s1'], 'letters that Unicode does not decompose are folded'],
    ['nandu', ['jose'], 'accents do not matter'],
    ['Ñandú José', ['jose'], 'words may come in any order'],
    ['ute muller', ['u1', 'u2', 'u3'], 'words may be in different fields'],
    ['  muller \t\n ute  ', ['u1', 'u2', 'u3'], 'any white space separates words'],
    ['ute u2', ['u2'], 'words may be in a name and in the address'],
    ['ute u2@example.com müller', ['u2'], 'words may be in all three fields'],
    ['ute smith', [], 'every word must occur'],
    ['utemüller', [], 'no match spans two fields'],
    ['muller ute u4', [], 'every word must occur'],
    ['tann anna', ['a1'], 'words of one field may come in any order'],
    ['maria von', ['a1'], 'white space within a field separates words of the search only'],
    ['travel.desk', ['travel.desk+kim'], 'the address is searched'],
    ['desk+kim', ['travel.desk+kim'], 'a plus is an ordinary character'],
    ['@SUB.example', ['travel.desk+kim'], 'case does not matter in the address'],
    ['%', ['h1'], '% is an ordinary character'],
    ['100%', ['h1'], '% is an ordinary character'],
    ['1%0', [], '% is an ordinary character'],
    ['a_b', ['h2'], '_ is an ordinary character'],
    ['_', ['h2'], '_ is an ordinary character'],
    ['a\\b', ['h3'], '\\ is an ordinary character'],
    ['\\', ['h3'], '\\ is an ordinary character'],
    ['\\%', [], '\\ does not escape'],
    ['axb', ['h4'], 'nothing else is a wildcard'],
    ['null', ['n1'], 'the word null is searched for'],
    ['undefined', [], 'no word is special'],
    ["'; drop table employees; --", [], 'quotes are ordinary characters'],
    ['😀', [], 'characters beyond the basic plane are searched for'],
    ['x'.repeat(500), [], 'the longest search allowed'],
  ];
  for (const [search, found, why] of cases) {
    it(`finds ${found.length} by ${JSON.stringify(search.slice(0, 40))}: ${why}`, async () => {
      assert.deepEqual(await find(search), found);
    });
  }

  for (const search of ['', '%20', '+', '%09%0A']) {
    it(`ignores the search "${search}"`, async () => {
      assert.equal((await app.request(`/employees?search=${search}`, { key })).body.data.total, 15);
    });
  }

  it('reads a plus in the query as a space, as forms send it', async () => {
    const { data } = (await app.request('/employees?search=ute+u3', { key })).body.data;
    assert.deepEqual(pluck(data, 'email'), ['u3@example.com']);
  });

  it('pages through the matches', async () => {
    const { data } = (await app.request('/employees?search=muller&perPage=2&page=2&sortOrder=desc', { key })).body;
    assert.deepEqual(pluck(data.data, 'email'), ['u1@example.com']);
    assert.deepEqual([data.total, data.totalPages], [3, 2]);
  });

  for (const [name, value, rule] of [
    ['NUL', 'ute%00', 'pattern'],
    ['more than 500 characters', 'x'.repeat(501), 'maxLength'],
    ['malformed percent-encoding', '%ZZ', 'encoding'],
    ['bytes that are no UTF-8', '%FF', 'encoding'],
    ['half a character', '%C3', 'encoding'],
    ['a lone surrogate', '%ED%A0%80', 'encoding'],
  ] as const) {
    it(`refuses ${name}`, async () => {
      assertInvalid(await app.request(`/employees?search=${value}`, { key }), { search: rule });
    });
  }

  it('refuses two searches', async () => {
    assertInvalid(await app.request('/employees?search=ute&search=kim', { key }), { search: 'repeated' });
  });
});

const ownPlans = skipOnCluster('plans name shards, and a shard has hardly any other company');

describe('GET /employees in a company of 20,000 among others', ownPlans, () => {
  let companyId: CompanyId;
  /** Uses one connection, so that the test can query the statements prepared on it. */
  let session: Database;
  before(async () => {
    companyId = await makeCompany(app.db);
    const others = [await makeCompany(app.db), await makeCompany(app.db), await makeCompany(app.db)];
    await sql`
      insert into employees (company_id, first_name, last_name, email, email_key, search_text, plan_type)
      select company_id, first, last, first || last || n || '@example.com', first || last || n || '@example.com',
        first || chr(10) || last || chr(10) || first || last || n || '@example.com', 'fully-subsidized-plan'
      from (
        select case when n % 2 = 0 then ${companyId}::bigint
          else (${others}::bigint[])[1 + n / 2 % 3] end as company_id, n,
          (array['anna', 'bernd', 'clara', 'dieter', 'elif', 'fatma', 'georg'])[1 + n / 2 % 7] as first,
          substr(md5(n::text), 1, 9) as last
        from generate_series(1, 40000) n
      ) generated`.execute(app.db);
    await sql`
      insert into employee_counts (company_id, subscription_status, plan_type, employees)
      select company_id, subscription_status, plan_type, count(*) from employees
      where company_id = ${companyId} group by 1, 2, 3`.execute(app.db);
    await sql`analyze employees`.execute(app.db);
    await sql`analyze employee_counts`.execute(app.db);
    session = connectDatabase({ url: app.databaseUrl, max: 1, applicationName: 'explain' });
  });
  after(() => session.close());

  const first: EmployeesQuery = { page: 1, perPage: 10, sortField: 'id', sortOrder: 'asc' };

  /** Returns the plan that PostgreSQL uses for this list after enough executions to have settled on one. */
  async function planOf(query: Partial<EmployeesQuery>): Promise<{ plan: string; total: number }> {
    const list = (db: Db) => listEmployees(db, companyId, { ...first, ...query }, testDay);
    const { text, values } = await captureStatement(app.databaseUrl, list);
    let total = 0;
    for (let times = 0; times < 8; times++) total = (await list(session.db)).total;
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements where statement = ${text}`.execute(session.db);
    assert.equal(rows.length, 1);
    const literal = (value: unknown) => (typeof value === 'number' ? String(value) : `'${value}'`);
    const explained = await session.db.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain execute ${rows[0]?.name}(${values.map(literal).join(', ')})`),
    );
    return { plan: explained.rows.map((row) => row['QUERY PLAN']).join('\n'), total };
  }

  it('reads the first page from an index', async () => {
    const { plan, total } = await planOf({});
    assert.equal(total, 20_000);
    assert.doesNotMatch(plan, /Seq Scan on employees /);
    assert.match(plan, /Index (Only )?Scan using employees_by_id on employees/);
  });

  it('reads the newest employees from an index', async () => {
    const { plan } = await planOf({ sortField: 'createdAt', sortOrder: 'desc' });
    assert.doesNotMatch(plan, /Seq Scan on employees /);
    assert.match(plan, /Index (Only )?Scan Backward using employees_by_created on employees/);
  });

  for (const search of ['c4ca4', 'clara c81e7', 'nobody-is-called-so', 'anna']) {
    it(`finds "${search}" in the index of search texts and nowhere else`, async () => {
      const { plan } = await planOf({ search });
      assert.doesNotMatch(plan, /Seq Scan on employees /);
      assert.doesNotMatch(plan, /employees_by_/);
      assert.match(plan, /Bitmap Index Scan on employees_search/);
    });
  }
});
