import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { insertBillingItems } from '../../../src/features/billing/insert.ts';
import { getCompany, lockCompany } from '../../../src/features/companies/companies.ts';
import { insertDocument } from '../../../src/features/documents/add.ts';
import { hideDocumentsOf, insertTicketConfirmations } from '../../../src/features/documents/insert.ts';
import { refreshEmployeeCounts } from '../../../src/features/employees/counts.ts';
import { findCountDifferences, repairCounts } from '../../../src/operator/stored-counts.ts';
import { type CompanyId, ofCompany } from '../../../src/platform/db/company-scope.ts';
import { connectDatabase, type Database, type Tx } from '../../../src/platform/db/database.ts';
import { isCluster } from '../../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  anEmployee,
  aServiceCharge,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeDocument,
  makeEmployee,
} from '../../support/factories.ts';
import { insertEmployees } from '../../support/insert-employees.ts';
import { actionsOf, createProcessedCompany, withOperatorCli } from '../../support/operator-cli.ts';
import { until } from '../../support/until.ts';
import { makeTicket } from '../../support/wallets.ts';

const month = '2026-11-01';
const now = Temporal.Instant.from('2026-11-01T08:00:00Z');

type Change = (tx: Tx) => Promise<unknown>;

describe('a stored count', () => {
  let database: TestDatabase;
  let first: Database;
  let second: Database;
  before(async () => {
    database = await createTestDatabase({ isWatched: false });
    const connect = (applicationName: string) => connectDatabase({ url: database.url, max: 1, applicationName });
    [first, second] = [connect('first'), connect('second')];
  });
  after(async () => {
    await Promise.all([first.close(), second.close()]);
    await database.drop();
  });

  /** On a cluster, the process that waits is the one on the node, which has another name. */
  const waitingProcesses = isCluster()
    ? sql`citus_stat_activity a where true`
    : sql`pg_stat_activity a where a.application_name = 'second'`;
  const isWaiting = async () => {
    const { rows } = await sql`select from ${waitingProcesses}
      and a.datname = current_database() and a.wait_event_type = 'Lock'`.execute(database.db);
    return rows.length > 0;
  };

  /** Makes the second change on another connection while the first change is made but not committed. */
  async function interleave(one: Change, other: Change): Promise<void> {
    const holding = await first.db.startTransaction().execute();
    let waiting: Promise<unknown> = Promise.resolve();
    try {
      await one(holding);
      waiting = second.db.transaction().execute(other);
      waiting.catch(() => {});
      await until('the second waits for the first', isWaiting);
      await holding.commit().execute();
    } catch (error) {
      await holding.rollback().execute();
      throw error;
    } finally {
      await waiting;
    }
  }

  const differencesOf = (companyId: CompanyId) => findCountDifferences(database.db, companyId);

  const visibleDocumentsOf = async (companyId: CompanyId, employeeId: number) => {
    const { rows } = await sql`select d.id from documents d where ${ofCompany(companyId, 'd')}
      and d.employee_id = ${employeeId} and d.removed_at is null`.execute(database.db);
    return rows.length;
  };

  const remove =
    (companyId: CompanyId, employeeId: number): Change =>
    async (tx) => {
      await lockCompany(tx, companyId);
      await sql`update employees e set removed_at = ${now.toString()}::timestamptz
        where ${ofCompany(companyId, 'e')} and e.id = ${employeeId}`.execute(tx);
      await hideDocumentsOf(tx, companyId, { gone: [employeeId], back: [] }, now);
      await refreshEmployeeCounts(tx, companyId);
    };

  const confirm =
    (companyId: CompanyId): Change =>
    async (tx) =>
      insertTicketConfirmations(tx, await getCompany(tx, companyId), { month, afterId: 0, now });

  /** Creates two employees with a ticket and a document each. */
  async function settle() {
    const { db } = database;
    const companyId = await makeCompany(db);
    const ids = [await makeEmployee(db, companyId), await makeEmployee(db, companyId)] as const;
    for (const id of ids) {
      await makeTicket(db, companyId, id, { month, valid_from: month, valid_until: '2026-11-30' });
      await makeDocument(db, companyId, { employeeId: id });
    }
    await makeBillingItems(
      db,
      companyId,
      ids.map((id) => aTicketCharge(id, { period: month })),
    );
    assert.deepEqual(await differencesOf(companyId), []);
    return { companyId, stays: ids[0], goes: ids[1] };
  }

  it('of documents loses no confirmations that are added while an employee is removed', async () => {
    const { companyId, stays, goes } = await settle();
    await interleave(confirm(companyId), remove(companyId, goes));
    assert.deepEqual(await differencesOf(companyId), []);
    assert.deepEqual([await visibleDocumentsOf(companyId, stays), await visibleDocumentsOf(companyId, goes)], [2, 0]);
  });

  it('of documents loses no removal while confirmations are added', async () => {
    const { companyId, stays, goes } = await settle();
    await interleave(remove(companyId, goes), confirm(companyId));
    assert.deepEqual(await differencesOf(companyId), []);
    assert.deepEqual([await visibleDocumentsOf(companyId, stays), await visibleDocumentsOf(companyId, goes)], [2, 0]);
  });

  it('of documents excludes a document whose employee is removed while it is added', async () => {
    const { companyId, goes } = await settle();
    const add: Change = (tx) =>
      insertDocument(
        tx,
        companyId,
        { employeeId: goes, name: 'Contract', fileType: 'pdf', file: null },
        Temporal.Now.instant(),
      );
    await interleave(remove(companyId, goes), add);
    assert.deepEqual(await differencesOf(companyId), []);
    assert.equal(await visibleDocumentsOf(companyId, goes), 0);
  });

  it('of documents includes documents that become visible again', async () => {
    const { companyId, goes } = await settle();
    await database.db.transaction().execute(remove(companyId, goes));
    const bringBack: Change = async (tx) => {
      await lockCompany(tx, companyId);
      await sql`update employees e set removed_at = null where ${ofCompany(companyId, 'e')} and e.id = ${goes}`.execute(
        tx,
      );
      await hideDocumentsOf(tx, companyId, { gone: [], back: [goes] }, now);
      await refreshEmployeeCounts(tx, companyId);
    };
    await interleave(bringBack, confirm(companyId));
    assert.deepEqual(await differencesOf(companyId), []);
    assert.equal(await visibleDocumentsOf(companyId, goes), 2);
  });

  it('of employees includes those of both writers', async () => {
    const { companyId, goes } = await settle();
    await interleave((tx) => insertEmployees(tx, companyId, [anEmployee()]), remove(companyId, goes));
    assert.deepEqual(await differencesOf(companyId), []);
    await interleave(
      (tx) => insertEmployees(tx, companyId, [anEmployee()]),
      (tx) => insertEmployees(tx, companyId, [anEmployee(), anEmployee()]),
    );
    assert.deepEqual(await differencesOf(companyId), []);
  });

  it('of billing items includes those of both writers, whatever the order of the types', async () => {
    const { companyId, stays, goes } = await settle();
    const december = { period: '2026-12-01' };
    const january = { period: '2027-01-01' };
    await interleave(
      (tx) => insertBillingItems(tx, companyId, [aTicketCharge(stays, december), aServiceCharge(january)]),
      (tx) => insertBillingItems(tx, companyId, [aTicketCharge(goes, january), aTicketCharge(goes, december)]),
    );
    assert.deepEqual(await differencesOf(companyId), []);
  });

  it('that drifted is found and repaired, even while others add to it', async () => {
    const { companyId, goes } = await settle();
    await sql`update document_counts c set documents = 7 where ${ofCompany(companyId, 'c')}`.execute(database.db);
    await interleave(confirm(companyId), (tx) => repairCounts(tx, companyId, now));
    assert.deepEqual(await differencesOf(companyId), []);
    await sql`update document_counts c set documents = 7 where ${ofCompany(companyId, 'c')}`.execute(database.db);
    await interleave((tx) => repairCounts(tx, companyId, now), remove(companyId, goes));
    assert.deepEqual(await differencesOf(companyId), []);
  });
});

describe('counts verify', () => {
  it('reports differences, and repairs them with --repair', () =>
    withOperatorCli(async ({ db, succeed, refuse }) => {
      const [companyId, other] = [await createProcessedCompany(db), await createProcessedCompany(db)];
      const id = await makeEmployee(db, companyId);
      await makeDocument(db, companyId, { employeeId: id });
      await makeBillingItems(db, companyId, [aTicketCharge(id)]);
      assert.deepEqual(await succeed('counts verify'), { companies: 2, differences: [], repaired: false });

      await sql`update document_counts c set documents = 3 where ${ofCompany(companyId, 'c')}`.execute(db);
      await sql`update billing_totals t set gross_cents = 1 where ${ofCompany(companyId, 't')}`.execute(db);
      await sql`delete from employee_counts c where ${ofCompany(companyId, 'c')}`.execute(db);
      const amounts = { items: 1, net_cents: 5593, tax_cents: 392 };
      const differences = [
        {
          companyId,
          table: 'employee_counts',
          key: { plan_type: 'fully-subsidized-plan', subscription_status: 'no-subscription' },
          stored: null,
          counted: { employees: 1 },
        },
        { companyId, table: 'document_counts', key: {}, stored: { documents: 3 }, counted: { documents: 1 } },
        {
          companyId,
          table: 'billing_totals',
          key: { period: '2026-11-01', charge_type: 'ticket-charge' },
          stored: { ...amounts, gross_cents: 1 },
          counted: { ...amounts, gross_cents: 5985 },
        },
      ];
      const found = { companies: 2, differences, repaired: false };
      assert.deepEqual(await succeed('counts verify'), found);
      assert.deepEqual(await succeed('counts verify'), found, 'it changes nothing');
      assert.deepEqual(await succeed(`counts verify --company ${other} --repair`), {
        companies: 1,
        differences: [],
        repaired: false,
      });
      assert.deepEqual(await succeed('counts verify --repair'), { ...found, repaired: true });
      assert.deepEqual(await succeed(`counts verify --company ${companyId}`), {
        companies: 1,
        differences: [],
        repaired: false,
      });
      assert.deepEqual(
        (await actionsOf(db, companyId)).filter((action) => action.includes('repair-counts')),
        ['operator company.repair-counts employee_counts, document_counts, billing_totals'],
      );
      await refuse(['counts verify --company 999999', 'There is no company 999999: run "company list" to see all.']);
    }));
});
