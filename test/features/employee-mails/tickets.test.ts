import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { makeSubscribers } from '../../../harness/subscribers.ts';
import { catchUp } from '../../../src/features/daily-run/run.ts';
import { changeEmployeeLanguage, changeMailSwitches } from '../../../src/features/employee-mails/switches.ts';
import { writeTicketMails } from '../../../src/features/employee-mails/write-tickets.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { type MovableClock, movableClock } from '../../support/clock.ts';
import { pluck } from '../../support/pluck.ts';
import { rowsOf, updateRows } from '../../support/rows.ts';

describe('Mails about tickets', () => {
  const app = useApp({ clock: movableClock('2026-01-15') });
  const clock = () => app.deps.clock as MovableClock;

  /** Creates a company whose employees get a ticket from February on. */
  const begin = (count: number) =>
    makeSubscribers(app.db, {
      count,
      startOn: Temporal.PlainDate.from('2026-02-01'),
      status: 'scheduled',
      processedThrough: Temporal.PlainDate.from('2026-01-15'),
    });
  async function runTo(companyId: CompanyId, day: string) {
    clock().moveTo(day);
    await catchUp(app.serviceDb, app.deps, companyId);
    await runJobs(companyId);
  }
  /** Does what the jobs of the daily run do, also if two workers have the same job. */
  async function runJobs(companyId: CompanyId) {
    const { rows } = await sql<{ month: string }>`
      select data->>'month' as month from queue.job
      where name = 'send-employee-mails' and data->>'companyId' = ${String(companyId)} order by created_on`.execute(
      app.db,
    );
    const write = (month: string) =>
      writeTicketMails({ db: app.serviceDb, clock: clock() }, companyId, Temporal.PlainDate.from(month));
    for (const { month } of rows) await Promise.all([write(month), write(month)]);
  }
  const listMails = (companyId: CompanyId) =>
    app.db
      .selectFrom('employee_mails')
      .select(['employee_id as employeeId', 'occasion', 'language', 'state', 'recipient', 'encrypted_values as values'])
      .select('expires_at as expiresAt')
      .where('company_id', '=', companyId)
      .orderBy('occasion')
      .orderBy('employee_id')
      .execute();

  it('are written on the day they are issued, once, also by runs at the same time', async () => {
    const company = await begin(3);
    await Promise.all([1, 2, 3].map(() => runTo(company, '2026-02-01')));
    const mails = await listMails(company);
    assert.deepEqual(
      mails.map(({ occasion, language, state, recipient, values }) => [occasion, language, state, recipient, values]),
      Array.from({ length: 3 }, () => ['2026-02', 'de', 'pending', null, null]),
    );
    const days = (Date.parse(mails[0]?.expiresAt ?? '') - Date.now()) / 86_400_000;
    assert(days > 26 && days < 29, `until the end of the month, not ${days} days`);
    await runJobs(company);
    assert.equal((await listMails(company)).length, 3);
  });

  it('are not written of a month that is over, and a later month replaces those that wait', async () => {
    const company = await begin(1);
    await runTo(company, '2026-03-20');
    assert.deepEqual(
      (await listMails(company)).map(({ occasion, state }) => [occasion, state]),
      [['2026-03', 'pending']],
    );
    await runTo(company, '2026-04-01');
    assert.deepEqual(
      (await listMails(company)).map(({ occasion, state }) => [occasion, state]),
      [
        ['2026-03', 'expired'],
        ['2026-04', 'pending'],
      ],
    );
  });

  it('are written to those who want them, in their language, unless the company sends none', async () => {
    const company = await begin(3);
    const [one = 0, other = 0] = pluck(await rowsOf(app.db, 'employees', { company_id: company }, ['id']), 'id');
    await writeCompany(app.serviceDb, company, async (tx) => {
      await changeMailSwitches(tx, company, one, [{ kind: 'ticket', isOn: false }]);
      await changeEmployeeLanguage(tx, company, other, 'en');
    });
    await runTo(company, '2026-02-01');
    assert.deepEqual(
      (await listMails(company)).map(({ employeeId, language }) => [employeeId === one, language]).sort(),
      [
        [false, 'de'],
        [false, 'en'],
      ],
    );
    await updateRows(app.db, 'companies', { id: company }, { switched_off_mails: ['ticket'] });
    await runTo(company, '2026-03-01');
    assert.equal((await listMails(company)).length, 2);
  });
});
