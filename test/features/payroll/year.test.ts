import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import readSheet from 'read-excel-file/node';
import { extractText, getDocumentProxy } from 'unpdf';
import { eraseEmployees } from '../../../src/features/employees/erase.ts';
import { writeStatements } from '../../../src/features/payroll/year/statements.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { entries } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const subscribed = { autoSyncEmployee: true } as const;
const lodas = {
  ...{ payroll_system: 'datev-lodas', payroll_consultant: 1234567, payroll_client: 12345 },
  ...{
    wage_type_tax_free: 700,
    wage_type_flat_tax: 701,
    wage_type_deduction: 9100,
    personnel_number_rule: 'hr-id-digits',
  },
} as const;

describe('a year of payroll', () => {
  const fixture = useFixture('2026-10-15');

  async function begin(settings: Record<string, unknown> = {}) {
    fixture.clock.moveTo('2026-10-15');
    const company = await joinCompany(fixture, { ...lodas, ...settings });
    await company.sync('one', entries(2, subscribed));
    await company.runTo('2026-12-31');
    const { companyId } = company;
    const petra = await signIn(fixture.app, await makeUser(fixture.app, companyId, 'payroll', { name: 'Petra Lohn' }));
    return { ...company, petra };
  }

  const statementsOf = async ({ companyId }: Pick<TestCompany, 'companyId'>, isWritten = true) => {
    const { rows } = await sql<{ id: number; name: string; employee_id: number }>`
      select d.id, d.name, d.employee_id from documents d where d.company_id = ${companyId}
        and d.kind = 'yearly-statement' and (d.sha256 is not null or not ${isWritten}) order by d.id`.execute(
      fixture.app.db,
    );
    return rows;
  };
  const written = async (company: TestCompany, count: number) => {
    await until(`${count} statements`, async () => (await statementsOf(company)).length === count);
    return statementsOf(company);
  };
  const textOf = async (company: TestCompany, id: number) => {
    const { bytes } = await company.get(`/employee-documents/${id}/download`);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    return text.replaceAll('\u00a0', ' ');
  };
  const correct = async (company: TestCompany, period: string) => {
    const { rows } = await sql<{ id: number }>`select id from billing_items where company_id = ${company.companyId}
      and charge_type = 'ticket-charge' and period = ${period} order by id limit 1`.execute(fixture.app.db);
    const admin = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'admin'));
    const made = await admin.post('/billing/corrections', { items: [rows[0]?.id], reason: 'refunded' });
    assert.equal(made.status, 200, JSON.stringify(made.body));
  };

  it('gives everybody one statement in January, also if it is asked for again, twice and at once', async () => {
    const company = await begin();
    assert.deepEqual(await statementsOf(company, false), []);
    await company.runTo('2027-01-01');
    const [first] = await written(company, 2);
    assert.equal(first?.name, 'Jahresaufstellung zum Jobticket 2026');
    const deps = { db: fixture.app.serviceDb, clock: fixture.clock };
    await Promise.all(
      ['2027-01-01', '2027-01-01', '2026-12-01'].map((on) => writeStatements(deps, company.companyId, on)),
    );
    assert.equal((await statementsOf(company, false)).length, 2);
    // Neither the month of another year, nor one without its statements.
    for (const on of ['2027-02-01', '2028-01-01', null]) await writeStatements(deps, company.companyId, on);
    assert.equal((await statementsOf(company, false)).length, 2);
  });

  it('names months, shares and line 17, and a correction replaces the statement', async () => {
    const company = await begin();
    await company.runTo('2027-01-01');
    const [first, second] = await written(company, 2);
    assert.ok(first && second);
    const text = await textOf(company, first.id);
    for (const part of [
      /November 2026/,
      /Dezember 2026/,
      /Summe\s+119,70 €/,
      /Zeile 17 der Lohnsteuerbescheinigung\s+119,70 €/,
    ]) {
      assert.match(text, part);
    }
    assert.ok(!/Ersetzt|Pauschal/.test(text));
    fixture.clock.moveTo('2027-01-20');
    await correct(company, '2026-12-01');
    const latest = (await written(company, 3))[2];
    assert.equal(latest?.employee_id, first.employee_id);
    const revised = await textOf(company, latest?.id ?? 0);
    assert.match(revised, new RegExp(`Ersetzt\\s+TB-${first.employee_id}-YEAR-2026-${first.id} vom 1. Januar 2027`));
    assert.match(revised, /Zeile 17 der Lohnsteuerbescheinigung\s+59,85 €/);
    assert.ok(!revised.includes('Dezember 2026'));
    // A charge of the present year changes no statement.
    await company.runTo('2027-02-05');
    await correct(company, '2027-01-01');
    assert.equal((await statementsOf(company, false)).length, 3);
  });

  it('names no months of a year that came to nothing, and none without an earlier statement', async () => {
    const company = await begin();
    await correct(company, '2026-11-01');
    await correct(company, '2026-12-01');
    await company.runTo('2027-01-01');
    const statements = await written(company, 1);
    assert.equal(statements.length, 1);
  });

  it('is erased with the employee', async () => {
    const company = await begin();
    await company.runTo('2027-01-01');
    const [first] = await written(company, 2);
    const { companyId } = company;
    await writeCompany(fixture.app.serviceDb, companyId, (tx) =>
      eraseEmployees(tx, fixture.app.deps.queue, companyId, [first?.employee_id ?? 0]),
    );
    assert.deepEqual(
      (await statementsOf(company, false)).map(({ employee_id: id }) => id === first?.employee_id),
      [false],
    );
    const { body } = await company.petra.get('/payroll/years/2026');
    assert.deepEqual([body.data.employees, body.data.taxFree.value], [2, 4 * 5985]);
  });

  it('is compared with the exported months, employee by employee', async () => {
    const company = await begin({ benefit_valuation: 96 });
    const { petra } = company;
    const year = async (of = '2026') => (await petra.get(`/payroll/years/${of}`)).body.data;
    const sums = (data: Awaited<ReturnType<typeof year>>) => [
      ...[data.employees, data.taxFree.value, data.exported.taxFree.value],
      ...[
        data.differences.map(
          (one: { personnelNumber: string; reason: string }) => `${one.personnelNumber} ${one.reason}`,
        ),
      ],
    ];
    for (const month of ['2026-11-01', '2026-12-01']) {
      assert.equal((await petra.post(`/payroll/${month}`)).status, 200);
      if (month === '2026-11-01') {
        assert.deepEqual(sums(await year()), [2, 4 * 5746, 2 * 5746, ['1 not-exported', '2 not-exported']]);
      }
    }
    assert.deepEqual(sums(await year()), [2, 4 * 5746, 4 * 5746, []]);
    assert.deepEqual([(await year()).isOver, (await year()).asOf, (await year()).statements], [false, '2026-12-31', 0]);
    await company.runTo('2027-01-20');
    await correct(company, '2026-12-01');
    assert.equal((await petra.post('/payroll/2027-01-01')).status, 200);
    assert.deepEqual(sums(await year()), [2, 3 * 5746, 4 * 5746, ['1 other-year']]);
    assert.deepEqual(sums(await year('2027')), [2, 2 * 5746, 5746, ['1 other-year']]);
    const { bytes, headers } = await petra.get('/payroll/years/2026/download?format=xlsx');
    assert.match(headers.get('content-disposition') ?? '', /jahresaufstellung-2026\.xlsx/);
    const [sheet] = await readSheet(bytes);
    assert.deepEqual(
      sheet?.data.map((row) => [row[0], row[3], row[7], row[9], row[12], row[15], row[16]]),
      [
        ...[
          ['Personalnummer', 'Monate mit Ticket', 'Zeile 17: steuerfrei (§ 3 Nr. 15 EStG)', 'Exportiert: steuerfrei'],
        ].map((row) => [...row, 'Differenz: steuerfrei', 'Hinweis', 'Stand']),
        ['1', '11', 57.46, 114.92, -57.46, 'In einem anderen Jahr exportiert', '2027-01-20'],
        ['2', '11, 12', 114.92, 114.92, 0, null, '2027-01-20'],
      ],
    );
    const csv = (await petra.get('/payroll/years/2026/download?format=csv')).bytes.toString();
    assert.match(csv, /^\uFEFFPersonalnummer;Name;/);
    assert.match(csv, /\r\n1;[^;]+;1;11;59,85;59,85;0,00;57,46;0,00;114,92;0,00;0,00;-57,46;0,00;0,00;In einem/);
  });

  it('is for payroll of the own company, and statements only for a year that is over', async () => {
    const company = await begin();
    const { petra } = company;
    const refused = await petra.post('/payroll/years/2026/statements');
    assert.deepEqual([refused.status, refused.body.code], [409, 'payroll-not-exportable']);
    assert.equal((await petra.get('/payroll/years/2024/download?format=csv')).bytes.toString().split('\r\n').length, 2);
    assert.equal((await petra.get('/payroll/years/twenty')).status, 400);
    const hr = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'hr'));
    assert.equal((await hr.get('/payroll/years/2026/download')).status, 403);
    const other = await begin();
    assert.equal((await other.petra.get('/payroll/years/2026')).body.data.employees, 2);
    fixture.clock.moveTo('2027-01-10');
    assert.equal((await petra.post('/payroll/years/2026/statements')).status, 200);
    await written(company, 2);
    assert.deepEqual(await statementsOf(other, false), []);
  });
});
