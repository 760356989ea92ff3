import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { operator } from '../../../src/domain/actor.ts';
import { correctCharges } from '../../../src/features/corrections/correct.ts';
import { insertCustomLink } from '../../../src/features/employees/custom-link.ts';
import type { PayrollExport, PayrollPreview } from '../../../src/features/payroll/contract.ts';
import { exportPayroll } from '../../../src/features/payroll/export.ts';
import { getPayrollFile, type PayrollExportRow } from '../../../src/features/payroll/store.ts';
import { voidPayrollExport } from '../../../src/features/payroll/void.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import type { ApiError } from '../../../src/platform/http/errors.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { anEmployee, aTicketCharge, makeBillingItems, makeEmployee, makeEmployees } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { rowsOf } from '../../support/rows.ts';
import { seed } from '../../support/seed.ts';
import { anEntry, entries } from '../../support/sync.ts';
import { companyContext } from '../../support/webhooks.ts';

const february = '2026-02-01';
const march = '2026-03-01';

interface PayrollCompany extends Omit<TestCompany, 'preview'> {
  /** Returns the preview as the portal shows it. */
  preview(period?: string): Promise<PayrollPreview>;
  /** Returns the export, or the message that says why there is none. */
  attempt(period?: string): Promise<PayrollExportRow | string>;
  export(period?: string): Promise<PayrollExportRow>;
  /** Returns the lines of a file as `number wage-type amount`. */
  lines(made: { id: number }): Promise<string[]>;
  bytes(made: { id: number }): Promise<Buffer>;
  /** Signs in to the portal as a viewer. */
  visit(): Promise<PortalClient>;
}

const lodas = {
  ...{ payroll_system: 'datev-lodas', payroll_consultant: 1234567, payroll_client: 12345 },
  ...{ wage_type_tax_free: 700, wage_type_flat_tax: 701, wage_type_deduction: 9100, benefit_valuation: 96 },
};

/** Entries whose HR ids are personnel numbers. */
const numbered = (length: number) =>
  entries(length, { autoSyncEmployee: true }).map((entry, index) => ({ ...entry, hrId: String(index + 1) }));

describe('payroll exports', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  async function begin(settings: Record<string, unknown> = {}): Promise<PayrollCompany> {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture, { ...lodas, ...settings });
    const { companyId } = company;
    const { app } = fixture;
    const visit = async () => signIn(app, await makeUser(app, companyId, 'payroll', { name: 'Petra Lohn' }));
    const exportPeriod = (period = february) =>
      exportPayroll(companyContext(app.serviceDb, companyId, fixture.clock.now()), { period });
    const bytes = async ({ id }: { id: number }) => {
      const file = await getPayrollFile(app.db, companyId, id);
      assert.ok(file);
      return file.content;
    };
    return {
      ...company,
      visit,
      bytes,
      export: exportPeriod,
      attempt: (period) =>
        exportPeriod(period).catch((error: ApiError) => {
          assert.equal(error.code, 'payroll-not-exportable');
          return String(error.explanation?.key);
        }),
      async preview(period = february) {
        const { status, body } = await (await visit()).get(`/payroll/${period}`);
        assert.equal(status, 200, JSON.stringify(body));
        return body.data;
      },
      async lines(made) {
        const rows = (await bytes(made)).toString('latin1').split('\r\n');
        return rows
          .filter((row) => row.startsWith('1;0'))
          .map((row) => {
            const [, , amount, , wageType, number] = row.split(';');
            return `${number} ${wageType} ${amount}`;
          });
      },
    };
  }

  /** Starts a company whose employees, numbered from 1, were billed for February and pay `shareCents` each. */
  async function bill(count: number, shareCents = 0, settings: Record<string, unknown> = {}): Promise<PayrollCompany> {
    const company = await begin(settings);
    const { companyId } = company;
    const { db } = fixture.app;
    const made = Array.from({ length: count }, () => anEmployee());
    const employees = await makeEmployees(db, companyId, made);
    const shares = { company_share_cents: 5985 - shareCents, employee_share_cents: shareCents };
    const planType = shareCents === 0 ? 'fully-subsidized-plan' : 'split-pay-plan';
    await makeBillingItems(
      db,
      companyId,
      employees.map((id, index) =>
        aTicketCharge(id, { hr_id: String(index + 1), period: february, plan_type: planType, ...shares }),
      ),
    );
    await company.runTo(february);
    return company;
  }

  const correct = ({ companyId }: Pick<TestCompany, 'companyId'>, itemId: number) =>
    writeCompany(fixture.app.db, companyId, (tx) =>
      correctCharges(tx, fixture.app.deps, {
        companyId,
        selection: { items: [itemId] },
        reason: 'A mistake.',
        actor: operator,
      }),
    );

  const voidLatest = async ({ companyId }: Pick<TestCompany, 'companyId'>) => {
    const { db } = fixture.app;
    const latest = db.selectFrom('payroll_files').select('id').where('company_id', '=', companyId);
    const file = await latest.where('voided_at', 'is', null).orderBy('number', 'desc').executeTakeFirst();
    if (file === undefined) return;
    const context = companyContext(db, companyId, fixture.clock.now());
    await voidPayrollExport(context, { id: file.id, reason: 'A mistake.' });
  };

  const ticketsOf = async (company: Pick<TestCompany, 'items'>, period = february) =>
    (await company.items(period)).filter(({ charge }) => charge.type === 'ticket-charge');

  it('have one line per employee and wage type, with the split of the plan', async () => {
    const company = await bill(2, 2000);
    const preview = await company.preview();
    assert.deepEqual(
      [preview.system, preview.lines, preview.employees, preview.taxFree.value, preview.deduction.value],
      ['datev-lodas', 4, 2, 2 * 3746, 4000],
    );
    assert.deepEqual([preview.missingSettings, preview.problems, preview.problemCount], [[], [], 0]);
    const client = await company.visit();
    const made: PayrollExport = (await client.post(`/payroll/${february}`)).body.data;
    assert.deepEqual(await company.lines(made), ['1 700 37,46', '1 9100 20,00', '2 700 37,46', '2 9100 20,00']);
    const { status, headers, bytes } = await client.get(`/payroll/exports/${made.id}/download`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/plain; charset=windows-1252');
    assert.equal(headers.get('content-disposition'), 'attachment; filename=lodas-2026-02-1.txt');
    assert.equal(createHash('sha256').update(bytes).digest('hex'), made.sha256);
    assert.match(bytes.toString('latin1'), /^\[Allgemein\]\r\nZiel=LODAS\r\n/);
    assert.deepEqual(
      [made.number, made.period, made.lines, made.employees, made.exportedBy, made.sizeBytes, made.fileName],
      [1, february, 4, 2, 'Petra Lohn', bytes.length, 'lodas-2026-02-1.txt'],
    );
    assert.deepEqual(
      [made.taxFree.value, made.flatTax.value, made.deduction.value],
      [preview.taxFree.value, 0, preview.deduction.value],
    );
    assert.deepEqual((await client.get('/payroll/exports')).body.data.data, [made]);
  });

  it('are audited and reported as an event, once', async () => {
    const company = await bill(1);
    const client = await company.visit();
    const made: PayrollExport = (await client.post(`/payroll/${february}`)).body.data;
    assert.deepEqual((await client.post(`/payroll/${february}`)).body.data, made);
    await client.get(`/payroll/exports/${made.id}/download`);
    const audit = (await client.get('/activity?action=payroll.')).body.data.data;
    assert.deepEqual(
      pluck(audit, 'actorType', 'action', 'target').toReversed(),
      ['payroll.export', 'payroll.download'].map((action) => ['user', action, String(made.id)]),
    );
    const { rows } = await sql<{ payload: unknown }>`select payload from events
      where company_id = ${company.companyId} and type = 'payroll-export-ready'`.execute(fixture.app.db);
    assert.deepEqual(rows, [{ payload: { id: made.id, resource: 'payroll-export', period: february } }]);
  });

  it('stay as they are, and later corrections are differences in the next one', async () => {
    const company = await bill(3, 2000);
    const [first, second] = await ticketsOf(company);
    const made = await company.export();
    const bytes = (await company.bytes(made)).toString('hex');
    await correct(company, first.id);
    await sql`update companies set benefit_valuation = 100, tax_treatment = 'flat-tax', wage_type_deduction = 9200
      where id = ${company.companyId}`.execute(fixture.app.db);
    const difference = await company.export();
    assert.deepEqual([difference.number, difference.period], [2, february]);
    assert.deepEqual(await company.lines(difference), ['1 700 -37,46', '1 9200 -20,00']);
    assert.deepEqual(await company.export(), difference, 'nothing new: the same export');
    assert.equal((await company.bytes(made)).toString('hex'), bytes);

    await company.runTo('2026-03-05');
    await correct(company, second.id);
    const next = await company.export(march);
    assert.deepEqual(await company.lines(next), ['2 700 -37,46', '2 9200 -20,00']);
  });

  it('contain a correction that missed its own period in the next export of any period', async () => {
    const company = await bill(2);
    const [first] = await ticketsOf(company);
    await company.export();
    await correct(company, first.id);
    await company.runTo(march);
    assert.deepEqual(await company.lines(await company.export(march)), ['1 700 -57,46']);
    const again = await company.export();
    assert.equal(again.number, 1, 'the correction is in no other file');
  });

  it('are one, if several are requested at the same time', async () => {
    const company = await bill(20);
    const [item] = await ticketsOf(company);
    const [results] = await Promise.all([
      Promise.all(Array.from({ length: 6 }, () => company.export())),
      correct(company, item.id),
    ]);
    const ids = new Set(results.map(({ id }) => id));
    // The correction is in the first export, or in a second one with nothing else.
    assert.ok(ids.size <= 2);
    await company.export();
    const { rows } = await sql<{ number: number; lines: number }>`select number, lines from payroll_files
      where company_id = ${company.companyId} order by number`.execute(fixture.app.db);
    assert.deepEqual(
      pluck(rows, 'number'),
      rows.map((_row, index) => index + 1),
    );
    assert.ok(rows.length === 1 ? rows[0]?.lines === 19 : rows[0]?.lines === 20 && rows[1]?.lines === 1);
  });

  it('are refused without a wage type, with what is missing', async () => {
    const company = await bill(1, 2000, { payroll_client: null, wage_type_deduction: null });
    assert.deepEqual((await company.preview()).missingSettings, ['payrollClient', 'wageTypeDeduction']);
    const { status, body } = await (await company.visit()).post(`/payroll/${february}`);
    assert.deepEqual([status, body.code], [409, 'payroll-not-exportable']);
    assert.match(body.detail, /settings are missing/);
    await sql`update companies set payroll_client = 1, wage_type_deduction = 9100 where id = ${company.companyId}`.execute(
      fixture.app.db,
    );
    assert.equal((await company.export()).lines, 2);
  });

  it('are refused as a whole while anybody has no usable personnel number', async () => {
    const company = await begin();
    const { db } = fixture.app;
    const active = { subscription_status: 'active', start_on: '2026-01-01' } as const;
    const otto = await makeEmployee(db, company.companyId, { first_name: 'Otto', last_name: 'Ohne', ...active });
    await company.sync('one', [
      anEntry(1, { hrId: '1', autoSyncEmployee: true }),
      anEntry(2, { hrId: 'E-2', firstName: 'Eva', lastName: 'Zwei', autoSyncEmployee: true }),
    ]);
    await company.runTo(february);
    const eva = (await company.employee('E-2')).id;
    const preview = await company.preview();
    assert.deepEqual(preview.problems, [
      { code: 'number-missing', employeeId: otto, name: 'Otto Ohne', hrId: null },
      { code: 'number-unusable', employeeId: eva, name: 'Eva Zwei', hrId: 'E-2' },
    ]);
    const refused = await company.attempt();
    assert.equal(refused, 'payroll-employees-unusable');
    const link = (id: number, hrId: string) =>
      db
        .transaction()
        .execute((tx) =>
          insertCustomLink(tx, company.companyId, { employeeId: id, hrId }, { at: Temporal.Now.instant() }),
        );
    await link(otto, '1');
    await link(eva, '2');
    assert.deepEqual(
      (await company.preview()).problems.map(({ code, name, hrId }) => `${code} ${name} ${hrId}`),
      ['number-shared Otto Ohne 1', `number-shared Anna Muster1 1`],
    );
    await sql`delete from hr_links where company_id = ${company.companyId} and hr_id = '1' and hr_integration_id is null`.execute(
      db,
    );
    await link(otto, '7');
    assert.deepEqual(await company.lines(await company.export()), ['1 700 57,46', '2 700 57,46', '7 700 57,46']);
  });

  it('are refused if nothing was billed', async () => {
    const company = await begin();
    assert.equal(await company.attempt('2026-01-01'), 'payroll-nothing-to-export');
    assert.equal((await company.preview('2026-01-01')).lines, 0);
  });

  it('contain the number of removed and erased employees', async () => {
    const company = await begin({ retention_days: 10 });
    await company.sync('one', numbered(3));
    await company.runTo('2026-02-05');
    await company.sync('two', numbered(1));
    const [, second, third] = await ticketsOf(company);
    await company.export();
    await company.runTo('2026-03-20');
    const { rows } = await sql`select id from employees where company_id = ${company.companyId}`.execute(
      fixture.app.db,
    );
    assert.equal(rows.length, 1, 'the others are erased');
    await correct(company, second.id);
    await correct(company, third.id);
    assert.deepEqual(await company.lines(await company.export(march)), ['1 700 57,46', '2 700 -57,46', '3 700 -57,46']);
  });

  it('do not contain what a file of an earlier release has handed over', async () => {
    const company = await bill(2);
    const [first, second] = await ticketsOf(company);
    await sql`insert into payroll_exports (company_id, period, exported_at)
      values (${company.companyId}, ${february}, now())`.execute(fixture.app.db);
    for (const { id } of [first, second]) {
      await sql`insert into payroll_lines (company_id, period, item_id, hr_id, is_named)
        values (${company.companyId}, ${february}, ${id}, '1', true)`.execute(fixture.app.db);
    }
    assert.equal(await company.attempt(), 'payroll-nothing-to-export');
    await correct(company, first.id);
    await company.runTo(march);
    assert.deepEqual(await company.lines(await company.export(march)), ['1 700 -57,46']);
  });

  it('as CSV accept any HR id and open in a German spreadsheet', async () => {
    const company = await begin({ payroll_system: 'csv' });
    await company.sync('one', [anEntry(1, { hrId: '=1+1', autoSyncEmployee: true })]);
    await company.runTo(february);
    const made = await company.export();
    assert.equal(
      (await company.bytes(made)).toString(),
      "\uFEFFZeitraum;Personalnummer;Lohnart;Bezeichnung;Betrag\r\n01.02.2026;'=1+1;700;Deutschlandticket steuerfrei (§ 3 Nr. 15 EStG);57,46\r\n",
    );
  });

  it('use the personnel number of the roster, and the digits of HR ids by the rule of the company', async () => {
    const company = await begin({ personnel_number_rule: 'hr-id-digits' });
    await company.sync('one', [
      anEntry(1, { hrId: 'E-0011', autoSyncEmployee: true }),
      anEntry(2, { hrId: 'E-0012', personnelNumber: '99', autoSyncEmployee: true }),
    ]);
    await company.runTo(february);
    assert.deepEqual(await company.lines(await company.export()), ['11 700 57,46', '99 700 57,46']);
    const { db } = fixture.app;
    const numbers = () => rowsOf(db, 'employees', { company_id: company.companyId }, ['personnel_number']);
    assert.deepEqual(pluck(await numbers(), 'personnel_number'), [null, '99']);
    // Left out, it stays; null clears it.
    await company.sync('two', [anEntry(1, { hrId: 'E-0011', personnelNumber: '5' }), anEntry(2, { hrId: 'E-0012' })]);
    assert.deepEqual(pluck(await numbers(), 'personnel_number'), ['5', '99']);
    await company.sync('three', [
      anEntry(1, { hrId: 'E-0011', personnelNumber: null }),
      anEntry(2, { hrId: 'E-0012', personnelNumber: '98' }),
    ]);
    assert.deepEqual(pluck(await numbers(), 'personnel_number'), [null, '98']);
  });

  it('of a month that has not begun are refused, also if a correction waits', async () => {
    const company = await bill(1);
    await company.export();
    const [item] = await ticketsOf(company);
    await correct(company, item.id);
    assert.equal((await company.preview(march)).periodAge, 'future');
    assert.equal(await company.attempt(march), 'payroll-period-not-begun');
    const refused = await (await company.visit()).post(`/payroll/${march}`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'payroll-not-exportable']);
    await company.runTo(march);
    assert.equal((await company.preview(march)).periodAge, 'usual');
    assert.deepEqual(await company.lines(await company.export(march)), ['1 700 -57,46']);
  });

  it('are voided by an admin, the latest first, and the next one contains the same lines', async () => {
    const company = await bill(2);
    const { app } = fixture;
    const first = await company.export();
    const [item] = await ticketsOf(company);
    await correct(company, item.id);
    const second = await company.export();
    const admin = await signIn(app, await makeUser(app, company.companyId, 'admin', { name: 'Ada Admin' }));
    const reason = 'Booked in the wrong month';
    const voidOne = (id: number) => admin.post(`/payroll/exports/${id}/void`, { reason });
    const refused = await voidOne(first.id);
    assert.deepEqual([refused.status, refused.body.code], [409, 'payroll-not-voidable']);
    const voided = await voidOne(second.id);
    assert.deepEqual(
      [voided.status, voided.body.data.voided.by, voided.body.data.voided.reason],
      [200, 'Ada Admin', reason],
    );
    assert.equal((await voidOne(second.id)).status, 409);
    assert.equal((await voidOne(first.id)).status, 200);
    // The charge and its correction, now in one export, cancel each other out.
    assert.deepEqual(await company.lines(await company.export()), ['2 700 57,46']);
  });

  it('list at most a thousand problems, with their number', async () => {
    const company = await begin();
    const { db } = fixture.app;
    const employee = await makeEmployee(db, company.companyId);
    const items = Array.from({ length: 1_004 }, (_, index) =>
      aTicketCharge(employee, { employee_id: null, hr_id: `X-${index}`, period: february }),
    );
    await makeBillingItems(db, company.companyId, items);
    const { problems, problemCount } = await company.preview();
    assert.deepEqual([problems.length, problemCount], [1_000, 1_004]);
  });

  it('of a period add up to its items, whatever the order of corrections and exports', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('correct' as const), pick: fc.nat({ max: 3 }) }),
      fc.constantFrom({ do: 'export' as const, period: february }, { do: 'export' as const, period: march }),
      fc.constant({ do: 'month' as const }),
      fc.constant({ do: 'void' as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        const company = await bill(4, 2000);
        const { companyId } = company;
        const items = await ticketsOf(company);
        for (const one of steps) {
          if (one.do === 'month') await company.runTo(march);
          else if (one.do === 'void') await voidLatest(company);
          else if (one.do === 'export') await company.attempt(one.period);
          else await correct(company, items[one.pick].id).catch(() => undefined);
        }
        await company.runTo(march);
        for (const period of [february, march]) await company.attempt(period);
        const { rows } = await sql<{ expected: number; booked: number; exported: number; items: number }>`
          select (select sum(sign(b.gross_cents) * 3746 + b.employee_share_cents)::bigint from billing_items b
              where b.company_id = ${companyId} and b.charge_type = 'ticket-charge') as expected,
            (select sum(f.tax_free_cents + f.flat_tax_cents + f.deduction_cents)::bigint from payroll_files f
              where f.company_id = ${companyId} and f.voided_at is null) as booked,
            (select count(*) from payroll_file_items x where x.company_id = ${companyId}) as exported,
            (select count(*) from billing_items b where b.company_id = ${companyId} and b.charge_type = 'ticket-charge')
              as items`.execute(fixture.app.db);
        const [sums] = rows;
        assert.equal(sums?.booked, sums?.expected);
        assert.equal(sums?.exported, sums?.items);
      }),
      { numRuns: 3, seed },
    );
  });
});
