import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { makeEmployee } from '../../support/factories.ts';
import {
  actionsOf,
  createProcessedCompany,
  lastMonth,
  month,
  nextMonth,
  starting,
  today,
  withOperatorCli,
} from '../../support/operator-cli.ts';
import { pluck } from '../../support/pluck.ts';
import { rowOf } from '../../support/rows.ts';
import { makeTicket } from '../../support/wallets.ts';

/** Creates an employee with a ticket of the month that is not billed yet. */
async function makeTraveller(db: Db, companyId: CompanyId): Promise<number> {
  const employee = await makeEmployee(db, companyId, {
    subscription_status: 'active',
    start_on: month.toString(),
    due_on: null,
  });
  await makeTicket(db, companyId, employee, {
    month: month.toString(),
    valid_from: month.toString(),
    valid_until: nextMonth.subtract({ days: 1 }).toString(),
  });
  return employee;
}

describe('billing run', () => {
  it('bills unbilled periods once, after catching up on missed days', () =>
    withOperatorCli(async ({ db, succeed }) => {
      const companyId = await createProcessedCompany(db);
      await makeTraveller(db, companyId);
      const words = `billing run --company ${companyId} --period ${month}`;
      assert.deepEqual(await succeed(words), { period: month.toString(), items: 2 });
      assert.deepEqual(await succeed(words), { period: month.toString(), items: 0 });

      const late = await createProcessedCompany(db, month.subtract({ days: 1 }));
      await makeEmployee(db, late, starting(month));
      assert.deepEqual(await succeed(`billing run --company ${late} --period ${month}`), {
        period: month.toString(),
        items: 0,
      });
      const items = await db.selectFrom('billing_items').select('id').where('company_id', '=', late).execute();
      assert.equal(items.length, 2, 'the day of the first has billed them');
    }));

  it('refuses an invalid period', () =>
    withOperatorCli(async ({ db, refuse }) => {
      const companyId = await createProcessedCompany(db);
      const run = (period: unknown) => `billing run --company ${companyId} --period ${period}`;
      const second = month.add({ days: 1 });
      const joinedOn = lastMonth.add({ days: 14 });
      await refuse(
        [run(second), `--period must be the first day of a month, but is "${second}".`],
        [run('2026-02-30'), '--period must be a date YYYY-MM-DD, but is "2026-02-30".'],
        [run('0000-01-01'), '--period must be a date YYYY-MM-DD, but is "0000-01-01".'],
        [run(nextMonth), `The period ${nextMonth} has not begun: it is billed on its first day.`],
        [run(lastMonth), `The company joined on ${joinedOn}: its first billed period is ${month}.`],
        [
          `billing run --company 999999 --period ${month}`,
          'There is no company 999999: run "company list" to see all.',
        ],
        [
          `billing run --company ${companyId}`,
          '--period is missing. Run "npm run -s cli -- billing run --help" to see what it accepts.',
        ],
        [`billing run --company x --period ${month}`, '--company must be an id, but is "x".'],
      );
    }));
});

describe('billing correct', () => {
  it('reverses a charge once, with and without --company', () =>
    withOperatorCli(async ({ db, succeed, refuse }) => {
      const [companyId, other] = [await createProcessedCompany(db), await createProcessedCompany(db)];
      await makeTraveller(db, companyId);
      await succeed(`billing run --company ${companyId} --period ${month}`);
      const charged = await db.selectFrom('billing_items').selectAll().orderBy('id').execute();
      const [ticket, fee] = charged;
      assert(ticket && fee);
      const because = ['--reason', 'Billed by mistake'];
      const correction = await succeed(`billing correct --item ${ticket.id} --company ${companyId}`, ...because);
      const period = month.toString();
      assert.deepEqual(correction, {
        id: correction.id,
        period,
        corrects: { id: ticket.id, period },
        grossCents: -ticket.gross_cents,
      });
      const { id } = await succeed(`billing correct --item ${fee.id}`, ...because);

      const correct = (line: string) => `billing correct ${line}`;
      await refuse(
        [correct(`--item ${ticket.id}`), `Item ${ticket.id} has already been corrected.`, ...because],
        [correct(`--item ${fee.id} --company ${companyId}`), `Item ${fee.id} has already been corrected.`, ...because],
        [
          correct(`--item ${fee.id} --company ${other}`),
          `There is no billing item ${fee.id}. Check the id.`,
          ...because,
        ],
        [
          correct(`--item ${id}`),
          `Item ${id} is a correction of item ${fee.id}, and corrections cannot be corrected.`,
          ...because,
        ],
        [correct('--item 999999'), 'There is no billing item 999999. Check the id.', ...because],
        [
          correct(`--item ${ticket.id}`),
          '--reason is missing. Run "npm run -s cli -- billing correct --help" to see what it accepts.',
        ],
        [
          correct(`--item ${ticket.id}`),
          '--reason is missing. Run "npm run -s cli -- billing correct --help" to see what it accepts.',
          '--reason',
          '  ',
        ],
      );
      const after = await db.selectFrom('billing_items').selectAll().orderBy('id').execute();
      assert.deepEqual(after.slice(0, 2), charged);
      assert.deepEqual(pluck(after.slice(2), 'corrects_id', 'gross_cents', 'reason'), [
        [ticket.id, -ticket.gross_cents, 'Billed by mistake'],
        [fee.id, -fee.gross_cents, 'Billed by mistake'],
      ]);
      assert.deepEqual(await actionsOf(db, companyId), [
        `operator billing.correct ${ticket.id}`,
        `operator billing.correct ${fee.id}`,
      ]);
    }));
});

describe('price list and price set', () => {
  it('show prices, and change them from a month that is not billed yet', () =>
    withOperatorCli(async ({ db, succeed, fail, refuse }) => {
      const before = await succeed('price list');
      assert.deepEqual(before.tickets.at(-1), {
        validFrom: '2026-01-01',
        listCents: 6300,
        taxPercent: 7,
        discountPercent: 5,
        discountSharePercent: 25,
      });
      assert.deepEqual(pluck(before.fees, 'chargeType', 'netCents'), [
        ['api-charge', 0],
        ['hr-integration-charge', 100],
        ['hr-payroll-integration-charge', 0],
        ['service-charge', 150],
      ]);
      const tooEarly = 'The first price applies from 2023-05-01: choose a later month.';
      await refuse(
        ['price set --charge ticket-charge --from 2020-01-01 --cents 900', tooEarly],
        ['price set --charge service-charge --from 2020-01-01 --cents 900', tooEarly],
      );

      const added = await succeed('price add --from 2090-01-01 --gross 66.00 --vat 19 --discount-share 30');
      assert.deepEqual(added, {
        ...{ validFrom: '2090-01-01', listCents: 6600, taxPercent: 19, discountPercent: 5, discountSharePercent: 30 },
        ...{ discountLost: [], discountGained: [] },
      });
      await db.deleteFrom('ticket_prices').where('valid_from', '=', '2090-01-01').execute();
      await refuse(
        ['price add --from 2020-01-01 --gross 9', tooEarly],
        ['price add --from 2090-01-01 --gross 9,5', '--gross must be an amount such as 66.00, but is "9,5".'],
      );

      const companyId = await createProcessedCompany(db);
      await makeTraveller(db, companyId);
      await succeed(`billing run --company ${companyId} --period ${month}`);
      const from = nextMonth.toString();
      const set = (charge: string, cents: string, first: unknown = from) =>
        `price set --charge ${charge} --from ${first} --cents ${cents}`;
      const { name } = await rowOf(db, 'companies', { id: companyId }, ['name']);
      // Of 48.00, the company pays 15.00 of 63.00, which is too little for the discount, and 22.00 of 70.00.
      await makeEmployee(db, companyId, {
        ...{ subscription_status: 'active', start_on: month.toString(), due_on: null },
        ...{ plan_type: 'split-pay-plan', contribution_cents: 4800, contract_status: 'accepted' },
      });
      const company = { company: companyId, name };
      const price = (cents: number) => ({ charge: 'ticket-charge', from, cents });
      const unchanged = { discountLost: [], discountGained: [] };
      assert.deepEqual(await succeed(set('ticket-charge', '7000')), {
        ...price(7000),
        ...{ discountLost: [], discountGained: [company] },
      });
      assert.deepEqual(await succeed(set('ticket-charge', '6000')), {
        ...price(6000),
        ...{ discountLost: [company], discountGained: [] },
      });
      await refuse([
        set('ticket-charge', '0'),
        `A price of 0 makes every ticket-charge free from ${from} on. If you mean that, repeat the command with --force.`,
      ]);
      await succeed(`${set('service-charge', '0')} --force`);
      await succeed(set('service-charge', '150'));
      await succeed(set('ticket-charge', '6950'));
      assert.deepEqual(await succeed(set('ticket-charge', '6900')), { ...price(6900), ...unchanged });
      assert.deepEqual(await succeed(set('api-charge', '990')), { charge: 'api-charge', from, cents: 990 });
      const billed = `Periods up to ${month} are billed: choose a later month.`;
      await refuse(
        [set('ticket-charge', '1', month), billed],
        [set('service-charge', '1', lastMonth), billed],
        [set('ticket-charge', '1', today), `--from must be the first day of a month, but is "${today}".`],
        [set('ticket-charge', '1.5'), '--cents must be a whole number of cents, but is "1.5".'],
      );
      assert.match(await fail(set('ticket-charge', '-1')), /--cents/);
      assert.match(await fail(set('coffee', '1')), /^--charge must be one of ticket-charge, .* but is "coffee"\.\n$/);

      const { tickets, fees } = await succeed('price list');
      assert.deepEqual(tickets, [...before.tickets, { ...before.tickets.at(-1), validFrom: from, listCents: 6900 }]);
      assert.equal(fees.length, before.fees.length + 2);
      assert.deepEqual(fees[1], { chargeType: 'api-charge', validFrom: from, netCents: 990, taxPercent: 19 });
    }));
});

describe('price lists', () => {
  it('are created, filled, given to companies and shown, each refusing what is unknown', () =>
    withOperatorCli(async ({ db, succeed, refuse }) => {
      const companyId = await createProcessedCompany(db);
      const unknown = (name: string, known: string) =>
        `There is no price list "${name}". Create it with "price create-list", or choose one of ${known}.`;
      await refuse([`company set ${companyId} --price-list Partner`, unknown('Partner', 'standard')]);
      assert.deepEqual(await succeed('price create-list --name Partner'), { name: 'Partner' });
      const set = 'price set --charge service-charge --from 2090-01-01 --cents 120';
      await refuse(
        ['price create-list --name PARTNER', 'There is a price list "Partner" already. Choose another name.'],
        ['price create-list --name standard', 'There is a price list "standard" already. Choose another name.'],
        [`${set} --list Parner`, unknown('Parner', 'standard, Partner')],
        [
          'price set --charge ticket-charge --from 2090-01-01 --cents 120 --list Partner',
          'All companies pay the same for tickets: a price list has fees only. Leave --list out.',
        ],
        [`company set ${companyId} --price-list-from 2090-01-01`, '--price-list-from needs --price-list.'],
      );
      assert.equal((await succeed(`${set} --list partner`)).list, 'Partner');
      const { lists, fees } = await succeed('price list');
      assert.deepEqual(lists, [
        { name: 'Partner', fees: [{ chargeType: 'service-charge', netCents: 120, validFrom: '2090-01-01' }] },
      ]);
      assert.ok(fees.every(({ netCents }: { netCents: number }) => netCents !== 120));
      const priceLists = [{ from: '2090-01-01', priceList: 'Partner' }];
      assert.deepEqual(await succeed(`company set ${companyId} --price-list partner --price-list-from 2090-01-01`), {
        id: companyId,
        priceLists,
      });
      assert.deepEqual((await succeed(`company show ${companyId}`)).priceLists, priceLists);
      assert.deepEqual(await actionsOf(db, companyId), [`operator company.set-price-list ${companyId}`]);
    }));
});
