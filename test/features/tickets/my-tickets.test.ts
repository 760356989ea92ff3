import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { planDay } from '../../../src/domain/employee.ts';
import type { ReplacementReason } from '../../../src/domain/enums.ts';
import { getCompany } from '../../../src/features/companies/companies.ts';
import { listIdsByCode } from '../../../src/features/employees/find-employee.ts';
import { loadEmployees } from '../../../src/features/employees/load.ts';
import { loadTickets } from '../../../src/features/tickets/my-tickets.ts';
import { ticketNumber } from '../../../src/features/tickets/numbers.ts';
import { listReplacements, replaceTicket } from '../../../src/features/tickets/replace.ts';
import { createTicketSigner, verifyTicketCode } from '../../../src/features/wallet/ticket-code.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { ApiError } from '../../../src/platform/http/errors.ts';
import { createLinks } from '../../../src/platform/http/links.ts';
import { joinCompany, onlyEmployee, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { day } from '../../support/domain/scenario.ts';

const anEntry = (fields: object = {}) => ({
  ...{ hrId: 'E-1', firstName: 'Anna', lastName: 'Lang', email: 'anna.lang@example.com', autoSyncEmployee: true },
  ...fields,
});

const signer = createTicketSigner('a secret of one environment, long enough', true);

describe('the tickets of an employee', () => {
  const fixture = useFixture('2026-10-20', 'without documents');

  async function subscribed(settings = {}) {
    fixture.clock.moveTo('2026-10-20');
    const company = await joinCompany(fixture, settings);
    await company.sync('joined', [anEntry()]);
    return { company, employeeId: (await onlyEmployee(company)).id as number };
  }

  const noWallets = { apple: undefined, google: undefined };

  async function show({ companyId }: TestCompany, employeeId: number, date: string, wallets: object = noWallets) {
    const { serviceDb: db } = fixture.app;
    const today = day(date);
    const known = (await loadEmployees(db, companyId, [employeeId], today)).get(employeeId);
    assert(known);
    const holder = { company: await getCompany(db, companyId), employeeId, employee: planDay(known, today).employee };
    const links = createLinks('http://localhost:3000');
    const view = { signer, isTest: true, wallets: wallets as typeof noWallets, links };
    return loadTickets(db, holder, { today, view, ordered: undefined });
  }

  const issued = async ({ companyId }: TestCompany, month: string) => {
    const { rows } = await sql<{ id: string; token: string }>`
      select ticket_id as id, wallet_token as token from tickets
      where company_id = ${companyId} and month = ${month}::date`.execute(fixture.app.db);
    return rows;
  };

  it('are the one of today and, three days before, the next one with the code that the daily run issues', async () => {
    const { company, employeeId } = await subscribed();
    await company.runTo('2026-11-27');
    const before = await show(company, employeeId, '2026-11-27');
    assert.equal(before.ticket?.month, '2026-11');
    assert.equal(before.nextTicket, null);
    await company.runTo('2026-11-28');
    const { nextTicket } = await show(company, employeeId, '2026-11-28');
    assert(nextTicket);
    assert.deepEqual([nextTicket.validFrom, nextTicket.validUntil], ['2026-12-01', '2026-12-31']);
    // Whatever becomes known now takes effect a month later.
    await company.sync('leaving', [anEntry({ terminationDate: '2026-11-30' })]);
    await company.runTo('2026-12-01');
    const { ticket } = await show(company, employeeId, '2026-12-01');
    assert.deepEqual(ticket, nextTicket);
    assert.deepEqual(
      (await issued(company, '2026-12-01')).map(({ id }) => id),
      [nextTicket.id],
    );
    const verdict = verifyTicketCode(nextTicket.code, signer.publicKey);
    assert(verdict.problem === null && verdict.isTest);
    assert.deepEqual(verdict.claims, { companyId: company.companyId, ticketId: nextTicket.id });
  });

  it('have the numbers that the daily run gives', async () => {
    const { company, employeeId } = await subscribed();
    await company.runTo('2026-11-01');
    assert.deepEqual(
      (await issued(company, '2026-11-01')).map(({ id }) => id),
      [ticketNumber(day('2026-11-01'), employeeId)],
    );
    assert.equal(ticketNumber(day('2026-11-01'), 7), 'DT-202611-000007');
    assert.equal(ticketNumber(day('2026-11-01'), 12_345_678), 'DT-202611-12345678');
  });

  it('are there on the first of a month before the daily run has processed it', async () => {
    const { company, employeeId } = await subscribed();
    await company.runTo('2026-11-30');
    const { ticket } = await show(company, employeeId, '2026-12-01');
    assert.equal(ticket?.month, '2026-12');
    await company.runTo('2026-12-01');
    assert.deepEqual((await show(company, employeeId, '2026-12-01')).ticket, ticket);
  });

  it('have links to the wallets that are configured', async () => {
    const { company, employeeId } = await subscribed();
    await company.runTo('2026-11-01');
    const [{ token } = { token: '' }] = await issued(company, '2026-11-01');
    const { ticket } = await show(company, employeeId, '2026-11-15', { apple: {}, google: undefined });
    const apple = `http://localhost:3000/v1/wallet/apple/${company.companyId}.${token}`;
    assert.deepEqual(ticket?.wallet, { apple, google: null });
  });

  describe('that is replaced', () => {
    const replace = (
      company: TestCompany,
      employeeId: number,
      ticketId?: string,
      reason: ReplacementReason = 'unreadable',
    ) =>
      writeCompany(fixture.app.serviceDb, company.companyId, (tx) =>
        replaceTicket(tx, fixture.app.deps, company.companyId, {
          ...{ employeeId, month: day('2026-11-01'), reason, ticketId },
          actor: { type: 'employee', name: String(employeeId) },
          at: fixture.clock.now(),
        }),
      );

    it('has another number, code and pass, and says why', async () => {
      const { company, employeeId } = await subscribed();
      await company.runTo('2026-11-15');
      const [first] = await issued(company, '2026-11-01');
      assert(first);
      assert.deepEqual(await replace(company, employeeId, first.id, 'new-phone'), { remaining: 2 });
      const [second] = await issued(company, '2026-11-01');
      assert.equal(second?.id, `${first.id}-2`);
      assert.notEqual(second.token, first.token);
      assert.equal((await show(company, employeeId, '2026-11-15')).ticket?.id, second.id);
      const { db, serviceDb } = fixture.app;
      assert.deepEqual(await listReplacements(serviceDb, company.companyId, employeeId), [
        {
          ...{ ticketId: first.id, reason: 'new-phone', actorType: 'employee' },
          replacedAt: (await listReplacements(serviceDb, company.companyId, employeeId))[0]?.replacedAt,
        },
      ]);
      assert.deepEqual(await listIdsByCode(serviceDb, company.companyId, first.id), [employeeId]);
      const audit = await sql<{ detail: object }>`select detail from audit_log
        where company_id = ${company.companyId} and action = 'ticket.replace'`.execute(db);
      const detail = { employeeId, month: '2026-11', reason: 'new-phone', from: first.id, to: second.id };
      assert.deepEqual(audit.rows, [{ detail }]);
      const mails = await sql<{ occasion: string }>`select occasion from employee_mails
        where company_id = ${company.companyId} and kind = 'ticket-replaced'`.execute(db);
      assert.deepEqual(mails.rows, [{ occasion: second.id }]);
      // The next month begins with its usual number.
      await company.runTo('2026-12-01');
      assert.deepEqual(
        (await issued(company, '2026-12-01')).map(({ id }) => id),
        [ticketNumber(day('2026-12-01'), employeeId)],
      );
    });

    it('is replaced once, however often and at once the same is asked for', async () => {
      const { company, employeeId } = await subscribed();
      await company.runTo('2026-11-15');
      const [first] = await issued(company, '2026-11-01');
      const results = await Promise.all([1, 2, 3].map(() => replace(company, employeeId, first?.id)));
      assert.deepEqual(results, [{ remaining: 2 }, { remaining: 2 }, { remaining: 2 }]);
      assert.deepEqual(await replace(company, employeeId, first?.id), { remaining: 2 });
      assert.equal((await issued(company, '2026-11-01'))[0]?.id, `${first?.id}-2`);
    });

    it('can be replaced three times, and only if there is one', async () => {
      const { company, employeeId } = await subscribed();
      const isRefused = (sentence: RegExp) => (error: unknown) =>
        error instanceof ApiError && error.code === 'decision-refused' && sentence.test(error.message);
      await assert.rejects(replace(company, employeeId), isRefused(/no such ticket/));
      await company.runTo('2026-11-15');
      for (const remaining of [2, 1, 0]) assert.deepEqual(await replace(company, employeeId), { remaining });
      await assert.rejects(replace(company, employeeId), isRefused(/replaced 3 times/));
      await assert.rejects(replace(company, employeeId, 'DT-202611-999999'), isRefused(/no such ticket/));
    });
  });
});
