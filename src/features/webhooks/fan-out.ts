import { sql } from 'kysely';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { listRows } from '../../platform/db/shards.ts';
import { writeShared } from '../../platform/db/write.ts';

/** How many events one transaction turns into deliveries per endpoint. */
const eventsPerStep = 5_000;

interface Cursor {
  id: number;
  cursor: number;
  types: string[];
}

async function advance(tx: Tx, companyId: CompanyId, { id, cursor, types }: Cursor, last: number): Promise<number> {
  const end = Math.min(last, cursor + eventsPerStep);
  await sql`
    insert into webhook_deliveries (company_id, endpoint_id, sequence, event_id, event_type, next_attempt_at)
    select e.company_id, ${id}::bigint, e.sequence, e.id, e.type, now() from events e
    where ${ofCompany(companyId, 'e')} and e.sequence > ${cursor} and e.sequence <= ${end} and e.type <> 'webhook-test'
      and (cardinality(${types}::text[]) = 0 or e.type = any(${types}::text[]))
    on conflict do nothing`.execute(tx);
  await sql`
    update webhook_endpoints w set cursor_sequence = ${end}
    where ${ofCompany(companyId, 'w')} and w.id = ${id}`.execute(tx);
  return end;
}

async function step(tx: Tx, companyId: CompanyId): Promise<boolean> {
  const { rows: versions } = await sql<{ last: number }>`
    select v.event_sequence as last from company_versions v where ${ofCompany(companyId, 'v')}`.execute(tx);
  const last = versions[0]?.last ?? 0;
  // Another process that has locked an endpoint does the same.
  const { rows } = await sql<Cursor>`
    select w.id, w.cursor_sequence as cursor, w.event_types as types from webhook_endpoints w
    where ${ofCompany(companyId, 'w')} and w.state = 'enabled' and w.cursor_sequence < ${last}
    order by w.id for no key update skip locked`.execute(tx);
  let remains = false;
  for (const endpoint of rows) if ((await advance(tx, companyId, endpoint, last)) < last) remains = true;
  return remains;
}

/**
 * Turns the new events of a company into deliveries, one per endpoint that wants the event. The cursor of an endpoint moves
 * in the transaction that inserts its deliveries, under the lock of the endpoint: an event is neither lost nor fanned out
 * twice. Events commit in the order of their sequence, so none appears behind the cursor.
 */
export async function fanOut(db: Db, companyId: CompanyId): Promise<void> {
  while (await writeShared(db, (tx) => step(tx, companyId)));
}

export async function listLaggingCompanies(db: Db): Promise<CompanyId[]> {
  const { rows: endpoints } = await listRows<{ company: number; cursor: number }>(db, {
    table: 'webhook_endpoints',
    columns: 't.company_id as company, min(t.cursor_sequence) as cursor',
    where: "t.state = 'enabled' group by t.company_id",
  });
  if (endpoints.length === 0) return [];
  const cursors = new Map(endpoints.map(({ company, cursor }) => [company, cursor]));
  const { rows: versions } = await listRows<{ company: number; last: number }>(db, {
    table: 'company_versions',
    columns: 't.company_id as company, t.event_sequence as last',
    where: `t.company_id = any('{${[...cursors.keys()].join(',')}}'::bigint[])`,
  });
  return versions
    .filter(({ company, last }) => last > (cursors.get(company) ?? last))
    .map(({ company }) => asCompanyId(company));
}
