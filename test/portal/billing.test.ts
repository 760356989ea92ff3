import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { billingCorrection } from '../../src/daily-run/correct-billing.ts';
import { insertCustomLink } from '../../src/employees/custom-link.ts';
import type { BillingPeriod, PayrollCheck } from '../../src/portal/billing/schema.ts';
import { type Fixture, joinCompany, startFixture, type TestCompany } from '../support/daily-run.ts';
import { aTicketCharge, makeBillingItems, makeEmployee } from '../support/factories.ts';
import { makeUser, type PortalClient, signIn } from '../support/portal.ts';
import { anEntry, entries } from '../support/sync.ts';

type Line = Record<
  | 'hrId'
  | 'firstName'
  | 'lastName'
  | 'companyShare'
  | 'employeeShare'
  | 'net'
  | 'tax'
  | 'gross'
  | 'correctsItem'
  | 'correctsPeriod'
  | 'reason',
  string
>;

interface Accountant extends TestCompany {
  client: PortalClient;
  periods(): Promise<BillingPeriod[]>;
  check(period: string): Promise<PayrollCheck>;
  payroll(period: string): Promise<Line[]>;
}

const cents = (amount: string) => Math.round(Number(amount) * 100);
const sum = (lines: Line[], column: keyof Line) => lines.reduce((total, line) => total + cents(line[column]), 0);

describe('billing in the portal', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture('2026-01-15', 'without documents');
  });
  after(() => fixture.close());

  async function begin(settings: Record<string, unknown> = {}): Promise<Accountant> {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture, settings);
    const client = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'viewer'));
    const get = async (path: string) => {
      const { status, body } = await client.get(path);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data;
    };
    return {
      ...company,
      client,
      periods: () => get('/billing'),
      check: (period) => get(`/billing/${period}/payroll`),
      async payroll(period) {
        const { status, bytes } = await client.get(`/billing/${period}/payroll.csv`);
        assert.equal(status, 200, bytes.toString());
        return parse(bytes, { bom: true, columns: true });
      },
    };
  }

  const correct = ({ companyId }: TestCompany, itemId: number) =>
    fixture.app.db
      .transaction()
      .execute((tx) => billingCorrection(tx, fixture.app.deps, { itemId, companyId, reason: 'A mistake.' }));

  it('lists periods, newest first, with totals per charge type that equal the sum of the items', async () => {
    const company = await begin({ locale: 'en-IE' });
    assert.deepEqual(await company.periods(), []);
    await company.sync('one', entries(3, { autoSyncEmployee: true }));
    await company.runTo('2026-04-01');
    const periods = await company.periods();
    assert.deepEqual(
      periods.map(({ period }) => period),
      ['2026-04-01', '2026-03-01', '2026-02-01'],
    );
    for (const { period, types, ...totals } of periods) {
      const items = await company.items(period);
      for (const { chargeType, items: count, ...amounts } of [
        ...types,
        { chargeType: null, items: items.length, ...totals },
      ]) {
        const own = items.filter(({ charge }) => chargeType === null || charge.type === chargeType);
        assert.equal(count, own.length);
        for (const [name, column] of [
          ['net', 'total'],
          ['tax', 'tax'],
          ['gross', 'overall'],
        ] as const) {
          assert.equal(
            amounts[name].value,
            own.reduce((total, item) => total + item.billing[column].value, 0),
          );
        }
      }
      assert.deepEqual(
        types.map(({ chargeType }) => chargeType),
        ['service-charge', 'ticket-charge', 'hr-integration-charge'],
      );
    }
    assert.match(periods[0]?.gross.label ?? '', /^€\d+\.\d\d$/);
  });

  it('lists the items of a period as the public API does', async () => {
    const company = await begin();
    await company.sync('one', entries(12, { autoSyncEmployee: true }));
    await company.runTo('2026-02-01');
    for (const query of ['', 'perPage=5&page=2', 'chargeType=ticket-charge', 'chargeType=api-charge']) {
      const { status, body } = await company.client.get(`/billing/2026-02-01/items?${query}`);
      assert.equal(status, 200);
      assert.deepEqual(body, (await company.get(`/billing/items?period=2026-02-01&${query}`)).body, query);
    }
    assert.equal((await company.client.get('/billing/2031-01-01/items')).body.data.total, 0);
    for (const path of ['items', 'payroll', 'payroll.csv']) {
      const odd = await company.client.get(`/billing/2026-02-02/${path}`);
      assert.deepEqual(
        [odd.status, odd.body.code, odd.body.errors[0].parameter],
        [400, 'invalid-parameters', 'period'],
      );
    }
  });

  describe('the payroll file', () => {
    it('is a named file in UTF-8 with a byte order mark, a header line and one line per charge', async () => {
      const company = await begin({ plan_type: 'fully-subsidized-plan' });
      await company.sync('one', [anEntry(1, { firstName: 'Jörg', lastName: 'Müßig', autoSyncEmployee: true })]);
      await company.runTo('2026-02-01');
      const { status, headers, bytes } = await company.client.get('/billing/2026-02-01/payroll.csv');
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.equal(headers.get('content-disposition'), 'attachment; filename=payroll-2026-02.csv');
      assert.equal(
        bytes.toString(),
        '\uFEFFhrId,firstName,lastName,companyShare,employeeShare,net,tax,gross,correctsItem,correctsPeriod,reason\r\nE1,Jörg,Müßig,59.85,0.00,55.93,3.92,59.85,,,\r\n',
      );
      const exports = (await company.client.get('/activity?action=billing.export')).body.data.data;
      assert.deepEqual(
        exports.map(({ actorType, action, target }: Record<string, string>) => [actorType, action, target]),
        [['user', 'billing.export-payroll', '2026-02-01']],
      );
      const empty = await company.client.get('/billing/2026-03-01/payroll.csv');
      assert.deepEqual([empty.status, empty.bytes.toString().split('\r\n').length], [200, 2]);
    });

    for (const [planType, line] of [
      ['split-pay-plan', ['39.85', '20.00', '55.93', '3.92', '59.85']],
      ['deferred-plan', ['0.00', '63.00', '58.88', '4.12', '63.00']],
    ] as const) {
      it(`splits the amount by the ${planType}`, async () => {
        const company = await begin({ plan_type: planType, contribution_cents: 2000 });
        await company.sync('one', entries(2, { autoSyncEmployee: true }));
        await sql`update employees set contract_status = 'accepted' where company_id = ${company.companyId}`.execute(
          fixture.app.db,
        );
        await company.runTo('2026-02-01');
        const lines = await company.payroll('2026-02-01');
        assert.deepEqual(
          lines.map(({ hrId, companyShare, employeeShare, net, tax, gross }) =>
            [hrId, companyShare, employeeShare, net, tax, gross].join(' '),
          ),
          ['E1', 'E2'].map((hrId) => [hrId, ...line].join(' ')),
        );
      });
    }

    it('adds up to the ticket charges, to the cent', async () => {
      const company = await begin({ plan_type: 'split-pay-plan', contribution_cents: 1999 });
      await company.sync('one', entries(57, { autoSyncEmployee: true }));
      await sql`update employees set contract_status = 'accepted' where company_id = ${company.companyId}`.execute(
        fixture.app.db,
      );
      await company.runTo('2026-02-01');
      const lines = await company.payroll('2026-02-01');
      const tickets = (await company.periods())[0]?.types.find(({ chargeType }) => chargeType === 'ticket-charge');
      assert.deepEqual(
        [lines.length, sum(lines, 'net'), sum(lines, 'tax'), sum(lines, 'gross')],
        [57, tickets?.net.value, tickets?.tax.value, tickets?.gross.value],
      );
      for (const line of lines) {
        assert.equal(cents(line.net) + cents(line.tax), cents(line.gross));
        assert.equal(cents(line.companyShare) + cents(line.employeeShare), cents(line.gross));
      }
      const check = await company.check('2026-02-01');
      assert.deepEqual([check.lines, check.gross.value, check.withoutHrId], [57, tickets?.gross.value, []]);
    });

    it('has a separate line per correction, with the corrected item and the reason', async () => {
      const company = await begin();
      await company.sync('one', entries(3, { autoSyncEmployee: true }));
      await company.runTo('2026-02-01');
      const [, second] = await company.items('2026-02-01');
      await correct(company, second.id);
      const lines = await company.payroll('2026-02-01');
      assert.deepEqual(
        lines.map(({ hrId, companyShare, gross, correctsItem, correctsPeriod, reason }) =>
          [hrId, companyShare, gross, correctsItem, correctsPeriod, reason].join(' ').trim(),
        ),
        ['E1 59.85 59.85', 'E2 59.85 59.85', 'E3 59.85 59.85', `E2 -59.85 -59.85 ${second.id} 2026-02-01 A mistake.`],
      );
      const check = await company.check('2026-02-01');
      assert.deepEqual([check.lines, check.gross.value], [4, 2 * 5985]);
    });

    const bytesOf = async ({ client }: Accountant, period: string) => {
      const { status, bytes } = await client.get(`/billing/${period}/payroll.csv`);
      assert.equal(status, 200, bytes.toString());
      return bytes.toString();
    };

    it('does not change after its export, whatever is corrected, removed or linked later', async () => {
      const company = await begin({ guard_maximum_absent_percent: 100 });
      await company.sync('one', entries(4, { autoSyncEmployee: true }));
      await company.runTo('2026-02-01');
      const [first, second, third] = await company.items('2026-02-01');
      const february = await bytesOf(company, '2026-02-01');
      assert.equal(february.split('\r\n').length, 1 + 4 + 1);
      await correct(company, first.id);
      assert.equal(await bytesOf(company, '2026-02-01'), february, 'corrected in the month itself');
      await company.sync('two', entries(3, { autoSyncEmployee: true }));
      await company.runTo('2026-03-05');
      await correct(company, second.id);
      await correct(company, third.id);
      assert.equal(await bytesOf(company, '2026-02-01'), february, 'corrected later, and one employee is gone');
      assert.equal((await company.check('2026-02-01')).lines, 4);

      const march = await bytesOf(company, '2026-03-01');
      const lines: Line[] = parse(march, { bom: true, columns: true });
      assert.deepEqual(
        lines.map(({ hrId, gross, correctsItem, correctsPeriod }) => [hrId, gross, correctsItem, correctsPeriod]),
        [
          ['E1', '-59.85', `${first.id}`, '2026-02-01'],
          ...['E1', 'E2', 'E3'].map((hrId) => [hrId, '59.85', '', '']),
          ['E2', '-59.85', `${second.id}`, '2026-02-01'],
          ['E3', '-59.85', `${third.id}`, '2026-02-01'],
        ],
      );
      await company.runTo('2026-04-01');
      assert.deepEqual(
        [await bytesOf(company, '2026-02-01'), await bytesOf(company, '2026-03-01')],
        [february, march],
        'exported files stay',
      );
      assert.equal((await company.payroll('2026-04-01')).length, 3, 'no correction is in two files');
    });

    it('is exported once by concurrent requests', async () => {
      const company = await begin();
      await company.sync('one', entries(30, { autoSyncEmployee: true }));
      await company.runTo('2026-02-01');
      const [item] = await company.items('2026-02-01');
      const [files] = await Promise.all([
        Promise.all(Array.from({ length: 4 }, () => bytesOf(company, '2026-02-01'))),
        correct(company, item.id),
      ]);
      assert.equal(new Set([...files, await bytesOf(company, '2026-02-01')]).size, 1);
    });

    it('contains only the HR id of removed and erased employees', async () => {
      const company = await begin({ retention_days: 10 });
      await company.sync('one', entries(3, { autoSyncEmployee: true }));
      await company.runTo('2026-02-05');
      await company.sync('two', [anEntry(1)]);
      const [, second] = await company.items('2026-02-01');
      await correct(company, second.id);
      await company.runTo('2026-03-02');
      const expected = ['E1 Anna Muster1 59.85', 'E2   59.85', 'E3   59.85', 'E2   -59.85'];
      const readLines = async () =>
        (await company.payroll('2026-02-01')).map((line) =>
          [line.hrId, line.firstName, line.lastName, line.gross].join(' '),
        );
      assert.deepEqual(await readLines(), expected);
      await company.runTo('2026-03-20');
      const { rows } = await sql`select id from employees where company_id = ${company.companyId}`.execute(
        fixture.app.db,
      );
      assert.equal(rows.length, 1);
      assert.deepEqual(await readLines(), expected);
    });

    it('lists employees without an HR id until they have one', async () => {
      const company = await begin();
      const { db } = fixture.app;
      const active = { subscription_status: 'active', start_on: '2026-01-01' } as const;
      const id = await makeEmployee(db, company.companyId, { first_name: 'Otto', last_name: 'Ohne', ...active });
      await company.sync('one', [anEntry(1, { autoSyncEmployee: true })]);
      await company.runTo('2026-02-01');
      assert.deepEqual((await company.check('2026-02-01')).withoutHrId, [{ employeeId: id, name: 'Otto Ohne' }]);
      const hrIds = async () =>
        (await company.payroll('2026-02-01')).map(({ hrId, lastName }) => `${lastName} ${hrId}`);
      assert.deepEqual(await hrIds(), ['Ohne ', 'Muster1 E1']);
      await db
        .transaction()
        .execute((tx) => insertCustomLink(tx, company.companyId, id, { hrId: 'C-7', now: Temporal.Now.instant() }));
      assert.deepEqual((await company.check('2026-02-01')).withoutHrId, []);
      assert.deepEqual(await hrIds(), ['Ohne C-7', 'Muster1 E1']);
      const [item] = await company.items('2026-02-01');
      assert.equal(item.charge.employee.profile.hrId, null);
    });

    it('names at most a hundred employees without an HR id', async () => {
      const company = await begin();
      const { db } = fixture.app;
      const ids = await Promise.all(Array.from({ length: 104 }, () => makeEmployee(db, company.companyId)));
      await makeBillingItems(
        db,
        company.companyId,
        ids.map((id) => aTicketCharge(id, { hr_id: null, period: '2026-02-01' })),
      );
      const check = await company.check('2026-02-01');
      assert.deepEqual([check.lines, check.withoutHrId.length], [104, 100]);
    });

    it('runs no formula that a name contains', async () => {
      const company = await begin();
      const hostile = [
        ['=HYPERLINK("http://evil.example","A, B")', '+1'],
        ['-2+3', '@SUM(A1:A9)'],
        ['"quoted", too', 'a"=1+1'],
        ["O'Neill", 'Müller; =1+1'],
        ['b;=1+1', 'c";"@SUM(A1)'],
        ['line', 'break'],
      ];
      await company.sync(
        'one',
        hostile.map(([firstName = '', lastName = ''], index) =>
          anEntry(index + 1, { hrId: `=${index}`, firstName, lastName, autoSyncEmployee: true }),
        ),
      );
      // Names with line breaks are refused, but employees from before that rule may have them.
      await sql`update employees set first_name = ${'a\r\nb'}, last_name = ${'c\n=1+1'}
        where company_id = ${company.companyId} and first_name = 'line'`.execute(fixture.app.db);
      await company.runTo('2026-02-01');
      const lines = await company.payroll('2026-02-01');
      assert.deepEqual(
        lines.map(({ hrId, firstName, lastName, gross }) => [hrId, firstName, lastName, gross]),
        [
          ["'=0", `'=HYPERLINK("http://evil.example","A, B")`, "'+1", '59.85'],
          ["'=1", "'-2+3", "'@SUM(A1:A9)", '59.85'],
          ["'=2", '"quoted", too', `a"'=1+1`, '59.85'],
          ["'=3", "O'Neill", 'Müller; =1+1', '59.85'],
          ["'=4", "b;'=1+1", `c";"'@SUM(A1)`, '59.85'],
          ["'=5", 'a\r\nb', "c\n'=1+1", '59.85'],
        ],
      );
    });

    it('has no line of another company', async () => {
      const [company, other] = [await begin(), await begin()];
      await other.sync('one', entries(2, { autoSyncEmployee: true }));
      await other.runTo('2026-02-01');
      assert.equal((await other.payroll('2026-02-01')).length, 2);
      assert.deepEqual(await company.payroll('2026-02-01'), []);
      assert.deepEqual(await company.periods(), []);
      assert.equal((await company.check('2026-02-01')).lines, 0);
    });
  });
});
