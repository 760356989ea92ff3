import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { listBillingItems } from '../../../src/features/billing/store.ts';
import { listSyncRecords } from '../../../src/features/roster/store.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { connectDatabase, type Tx } from '../../../src/platform/db/database.ts';
import type { Page, PageRequest } from '../../../src/platform/db/page.ts';
import { writeLines } from '../../../src/platform/http/portal/export-lines.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { useDatabase } from '../../support/database.ts';
import {
  anEmployee,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployees,
  makeIntegration,
} from '../../support/factories.ts';
import { useResource } from '../../support/prepare.ts';

interface Reads {
  rows: number;
  blocks: number;
}

/** Nothing collects statistics here, as in the first minute after a sync. */
describe('exports right after a large sync', skipOnCluster('its nodes count what they read'), () => {
  const database = useDatabase();
  const pool = useResource(() =>
    connectDatabase({ url: database.adminUrl, max: 1, applicationName: 'exports', streaming: true }),
  );
  let companyId: CompanyId;
  let hrIntegrationId: number;
  before(async () => {
    companyId = await makeCompany(database.db);
    hrIntegrationId = await makeIntegration(database.db, companyId);
  });

  /** Adds employees, each with a charge and a record of a new sync, and returns the sync. */
  async function addSync(name: string, entries: number): Promise<number> {
    const employees = Array.from({ length: entries }, () => anEmployee());
    const ids = await makeEmployees(database.db, companyId, employees);
    await makeBillingItems(
      database.db,
      companyId,
      ids.map((id) => aTicketCharge(id)),
    );
    const { rows } = await sql<{ id: number }>`
      insert into syncs (company_id, hr_integration_id, sync_id, state, pushed_by, accepted_at, content_hash, entry_count)
      values (${companyId}, ${hrIntegrationId}, ${name}, 'succeeded', 'test', now(), ''::bytea, ${entries})
      returning id`.execute(database.db);
    const [{ id } = { id: 0 }] = rows;
    await sql`
      insert into sync_records (company_id, sync_key, hr_id, employee_id, outcome, code, detail, changes, reasons)
      select ${companyId}, ${id}, one, one, 'created', 'created', '', '[]', '[]'
      from unnest(${ids}::bigint[]) one`.execute(database.db);
    return id;
  }

  /** Returns how many rows, and blocks of tables and indexes, this connection has read since it last reported them. */
  async function readsOf(tx: Tx): Promise<Reads> {
    const { rows } = await sql<Reads>`
      with t as (
        select relid, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables
        where relname in ('sync_records', 'employees', 'billing_items')
      ), o as (select relid as id from t union all select indexrelid from pg_index where indrelid in (select relid from t))
      select (select sum(rows) from t)::int as rows,
        (select sum(pg_stat_get_xact_blocks_fetched(id)) from o)::int as blocks`.execute(tx);
    return rows[0] ?? { rows: 0, blocks: 0 };
  }

  /** Returns what PostgreSQL reads for an export of all pages. */
  async function countReads(read: (tx: Tx, page: PageRequest) => Promise<Page<object>>): Promise<Reads> {
    let before: Reads | undefined;
    let reads: Reads = { rows: 0, blocks: 0 };
    const source = {
      present: (row: object) => row,
      read: async (tx: Tx, page: PageRequest) => {
        await sql`set local track_counts = on`.execute(tx);
        before ??= await readsOf(tx);
        const found = await read(tx, page);
        const { rows, blocks } = await readsOf(tx);
        reads = { rows: rows - before.rows, blocks: blocks - before.blocks };
        return found;
      },
    };
    for await (const _ of writeLines(pool.db, source));
    return reads;
  }

  it('read each record about once, whatever plans were made for small ones', async () => {
    const target = { companyId, hrIntegrationId };
    const charges = { sortField: 'id', sortOrder: 'asc', period: '2026-11-01', corrections: 'include' } as const;
    const ofRecords = (syncKey: number) =>
      countReads((tx, page) => listSyncRecords(tx, target, syncKey, { ...page, outcomes: undefined }));
    const ofCharges = () => countReads((tx, page) => listBillingItems(tx, companyId, { ...page, ...charges }));
    const small = await addSync('small', 10);
    // PostgreSQL would keep one plan from the sixth execution on.
    for (let times = 0; times < 8; times++) {
      await ofRecords(small);
      await ofCharges();
    }
    const entries = 3_000;
    const large = await addSync('large', entries);
    // Three pages: all records for the total of each, then the page and its employees. Comparing each record of a page
    // with all others would read millions.
    // An index with other columns before the id may be read as a whole for each record, and returns one row, too.
    for (const { rows, blocks } of [await ofRecords(large), await ofCharges()]) {
      assert(rows > 0 && rows < 10 * entries, `${rows} rows`);
      assert(blocks > 0 && blocks < 10 * entries, `${blocks} blocks`);
    }
  });
});
