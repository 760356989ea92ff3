import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { ReturnOrigin } from '../../domain/enums.ts';
import { createMessage, type Message } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { readTable } from '../../platform/table/read-table.ts';
import { TableError } from '../../platform/table/table-row.ts';
import { unpackWorkbook } from '../../platform/table/unpack-workbook.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { type Company, getCompany, lockCompany } from '../companies/companies.ts';
import { type AppliedAnswers, addApplied, applyAnswers, planAnswers } from './apply.ts';
import type { OpenReturnedRow, ReturnedFile, ReturnedPreview } from './contract.ts';
import type { Answer } from './rules/decide.ts';
import { type OrderMapping, recognizeReturned } from './rules/order-mapping.ts';
import {
  type Candidate,
  type MatchedRow,
  matchRows,
  type ReturnedCells,
  type ReturnedRow,
  readRow,
} from './rules/returned-list.ts';
import { findIssuerRow, requestWork } from './store.ts';

/** A list of the largest company has a barcode of 2.5 KB per row at most. */
export const maxReturnedBytes = 32 * 2 ** 20;
const maxRows = 100_000;
/** A barcode has 2,552 characters. */
const maxCellLength = 3_000;
/** How many tickets are put into force in one transaction. */
const stepSize = 1_000;
const maxListed = 200;

const refuse = (message: Message) => new ApiError('invalid-order-list', message);

/** Unpacks an Excel file in a limited thread. A server passes one that waits for its turn. */
export type Unpack = typeof unpackWorkbook;

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const pieceBytes = 64 * 1024;
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
    // Other requests come first.
    await new Promise(setImmediate);
  }
}

/** Reads a returned list. Throws if it is no table, or has no column by which tickets or employees are recognised. */
async function readReturnedList(
  bytes: Uint8Array,
  mapping: OrderMapping | null,
  unpack: Unpack = unpackWorkbook,
): Promise<ReturnedRow[]> {
  if (bytes.length > maxReturnedBytes) throw refuse(createMessage('returned-too-large', { limit: maxReturnedBytes }));
  try {
    const { headings, rows } = await readTable(inPieces(bytes), unpack);
    const fields = recognizeReturned(headings.cells, mapping);
    const has = (...names: string[]) => names.some((name) => fields.some((field) => field === name));
    if (!has('ticketNumber', 'chipCardNumber', 'activationCode', 'barcode', 'problem')) {
      throw refuse(createMessage('returned-without-tickets'));
    }
    if (!has('orderId', 'hrId', 'lastName')) throw refuse(createMessage('returned-without-people'));
    const read: ReturnedRow[] = [];
    for await (const { number, cells } of rows) {
      if (read.length >= maxRows) throw refuse(createMessage('returned-many-rows', { limit: maxRows }));
      const named = fields.flatMap((field, index): [string, string][] => {
        const cell = cells[index]?.trim() ?? '';
        return field === undefined || cell === '' ? [] : [[field, cell]];
      });
      const long = named.find(([, cell]) => cell.length > maxCellLength);
      if (long !== undefined) throw refuse(createMessage('returned-long-cell', { row: number, field: long[0] }));
      if (named.length > 0) read.push({ number, cells: Object.fromEntries(named) as ReturnedCells });
    }
    return read;
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    if (error.row === undefined) throw refuse(error.explanation);
    throw refuse(createMessage('returned-row', { row: error.row, detail: [part(error.explanation)] }));
  }
}

const part = ({ key, values }: Message) => ({ key, values: values as Record<string, string | number> });

async function loadCandidates(db: Db | Tx, companyId: CompanyId, month: Day, orderId?: string): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select o.order_id as "orderId", o.month, o.state, o.first_name as "firstName", o.last_name as "lastName",
      o.date_of_birth as "dateOfBirth", coalesce(h.ids, '{}') as "hrIds", o.number,
      o.chip_card_number as "chipCardNumber", o.activation_code as "activationCode", o.barcode
    from ticket_orders o
    left join lateral (
      select array_agg(l.hr_id) as ids from hr_links l
      where ${ofCompany(companyId, 'l')} and l.employee_id = o.employee_id
        and o.state <> all(${['blocked', 'replaced']})
    ) h on true
    where ${ofCompany(companyId, 'o')} and o.month = ${month.toString()}::date and o.ordered_at is not null
      ${orderId === undefined ? sql`` : sql`and o.order_id = ${orderId}`}
    order by o.order_id`.execute(db);
  // A person who confirms a name means the order that is open, not one that has ended.
  return rows.map((row) => ({ ...row, firstName: row.firstName ?? '', lastName: row.lastName ?? '' }));
}

function toAnswer(row: MatchedRow): Answer[] {
  if ('ticket' in row) {
    const order = { orderId: row.orderId, status: 'issued' as const, ticket: row.ticket, failure: null };
    return [{ orderId: row.orderId, order, isPolled: false }];
  }
  if (!('refusal' in row)) return [];
  const failure = { code: 'returned', message: row.refusal, retry: false };
  const order = { orderId: row.orderId, status: 'failed' as const, ticket: null, failure };
  return [{ orderId: row.orderId, order, isPolled: false }];
}

async function requireLists(
  db: Db | Tx,
  companyId: CompanyId,
): Promise<{ company: Company; mapping: OrderMapping | null }> {
  const company = await getCompany(db as Db, companyId);
  const row = await findIssuerRow(db, companyId);
  if (company.issuer !== 'order-list' || row === undefined) throw refuse(createMessage('returned-no-lists'));
  return { company, mapping: row.mapping as OrderMapping | null };
}

const openOf = (rows: readonly MatchedRow[]) => rows.flatMap((row) => ('problem' in row ? [row] : []));

/** Returns what a list would change. Changes nothing. */
export async function previewReturnedList(
  db: Db,
  companyId: CompanyId,
  { month, bytes, unpack }: { month: Day; bytes: Uint8Array; unpack?: Unpack },
): Promise<ReturnedPreview> {
  const { company, mapping } = await requireLists(db, companyId);
  const rows = matchRows(await readReturnedList(bytes, mapping, unpack), await loadCandidates(db, companyId, month));
  const { changes, issued } = await planAnswers(db, company, rows.flatMap(toAnswer));
  const failed = changes.filter(({ state }) => state === 'failed');
  const numbers = new Map(rows.flatMap((row) => ('orderId' in row ? [[row.orderId, row.row.number]] : [])));
  const names = new Map((await loadCandidates(db, companyId, month)).map((one) => [one.orderId, one]));
  const nameOf = (orderId: string | null) => {
    const found = orderId === null ? undefined : names.get(orderId);
    return found === undefined ? null : `${found.firstName} ${found.lastName}`;
  };
  const listed = [
    ...failed.map(({ orderId, reason }) => ({
      row: numbers.get(orderId) ?? 0,
      name: nameOf(orderId),
      message: reason ?? createMessage('returned-empty'),
      isFailed: true,
    })),
    ...openOf(rows).map(({ row, problem, suggested }) => ({
      row: row.number,
      name: nameOf(suggested) ?? describePerson(row.cells),
      message: problem,
      isFailed: false,
    })),
  ];
  return {
    month: month.toString().slice(0, 7),
    rows: rows.length,
    issued: issued.length,
    failed: failed.length,
    unchanged: rows.filter((row) => 'isUnchanged' in row).length,
    open: openOf(rows).length,
    listed: listed.toSorted((a, b) => a.row - b.row).slice(0, maxListed),
  };
}

const describePerson = ({ firstName, lastName }: ReturnedCells) =>
  [firstName, lastName]
    .filter((name) => name !== undefined)
    .join(' ')
    .slice(0, 200) || null;

export interface ImportedList {
  month: Day;
  bytes: Uint8Array;
  name: string;
  origin: ReturnOrigin;
  unpack?: Unpack;
}

interface StoredFile {
  companyId: CompanyId;
  month: string;
  sha256: Buffer;
}

async function findFile(db: Db | Tx, { companyId, month, sha256 }: StoredFile): Promise<ReturnedFile | undefined> {
  const { rows } = await sql<ReturnedFile>`
    select to_char(f.month, 'YYYY-MM') as month, f.name, f.received_at as "receivedAt", f.received_from as origin,
      f.applied_at is not null as "isApplied", f.row_count as rows, f.issued, f.failed, f.unchanged,
      (select count(*) from returned_rows r where ${ofCompany(companyId, 'r')} and r.month = f.month
        and r.sha256 = f.sha256) as open
    from returned_files f where ${ofCompany(companyId, 'f')} and f.month = ${month}::date and f.sha256 = ${sha256}`.execute(
    db,
  );
  return rows[0];
}

async function insertFile(tx: Tx, file: StoredFile, { name, origin, rows, now }: Begun): Promise<void> {
  await sql`
    insert into returned_files (company_id, month, sha256, name, received_at, received_from, row_count)
    values (${file.companyId}, ${file.month}::date, ${file.sha256}, ${name.slice(0, 200)}, ${now}::timestamptz, ${origin},
      ${rows.length})
    on conflict (company_id, month, sha256) do nothing`.execute(tx);
  const open = openOf(rows).map(({ row, problem, suggested }) => ({
    number: row.number,
    cells: row.cells,
    problem,
    suggested,
  }));
  await sql`
    insert into returned_rows (company_id, month, sha256, row_number, cells, problem, suggested_order_id)
    select ${file.companyId}, ${file.month}::date, ${file.sha256}, r.number, r.cells, r.problem, r.suggested
    from json_to_recordset(${JSON.stringify(open)}::json) as r(number integer, cells jsonb, problem jsonb, suggested text)
    on conflict (company_id, month, sha256, row_number) do nothing`.execute(tx);
}

interface Begun {
  name: string;
  origin: ReturnOrigin;
  rows: readonly MatchedRow[];
  now: string;
}

/**
 * Applies a list that came back: tickets of rows that belong to an order for certain, once, after the checks of all
 * tickets. The other rows are kept until a person has decided. A list that was applied before changes nothing; one that
 * was interrupted is continued.
 */
export async function importReturnedList(
  db: Db,
  companyId: CompanyId,
  { month, bytes, name, origin, unpack }: ImportedList,
  by: By & { at: Temporal.Instant },
): Promise<ReturnedFile> {
  const { mapping } = await requireLists(db, companyId);
  const file: StoredFile = { companyId, month: month.toString(), sha256: createHash('sha256').update(bytes).digest() };
  const before = await findFile(db, file);
  if (before?.isApplied) return before;
  const read = await readReturnedList(bytes, mapping, unpack);
  const now = by.at.toString();
  const rows = await writeCompany(db, companyId, async (tx) => {
    await lockCompany(tx, companyId);
    const matched = matchRows(read, await loadCandidates(tx, companyId, month));
    await insertFile(tx, file, { name, origin, rows: matched, now });
    return matched;
  });
  let applied: AppliedAnswers = { issued: 0, failed: 0, late: 0 };
  const answers = rows.flatMap(toAnswer);
  for (let at = 0; at < answers.length; at += stepSize) {
    applied = addApplied(applied, await applyAnswers(db, companyId, answers.slice(at, at + stepSize), by.at));
  }
  const unchanged = rows.filter((row) => 'isUnchanged' in row).length;
  await writeCompany(db, companyId, async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      update returned_files f set applied_at = ${now}::timestamptz, issued = ${applied.issued}, failed = ${applied.failed},
        unchanged = ${unchanged}
      where ${ofCompany(companyId, 'f')} and f.month = ${file.month}::date and f.sha256 = ${file.sha256}
        and f.applied_at is null`.execute(tx);
    // Somebody else has applied the same list at the same time.
    if (numAffectedRows === 0n) return;
    const detail = { month: file.month.slice(0, 7), rows: rows.length, issued: applied.issued, failed: applied.failed };
    await insertAudit(tx, companyId, { action: 'issuer.import', target: detail.month, detail, ...by });
    // The job writes confirmations of tickets that came late.
    await requestWork(tx, companyId, now);
  });
  const stored = await findFile(db, file);
  if (stored === undefined) throw notFound('returned list');
  return stored;
}

export async function listReturnedFiles(db: Db, companyId: CompanyId): Promise<ReturnedFile[]> {
  const { rows } = await sql<ReturnedFile>`
    select to_char(f.month, 'YYYY-MM') as month, f.name, f.received_at as "receivedAt", f.received_from as origin,
      f.applied_at is not null as "isApplied", f.row_count as rows, f.issued, f.failed, f.unchanged,
      (select count(*) from returned_rows r where ${ofCompany(companyId, 'r')} and r.month = f.month
        and r.sha256 = f.sha256) as open
    from returned_files f where ${ofCompany(companyId, 'f')}
    order by f.month desc, f.received_at desc limit 20`.execute(db);
  return rows;
}

/** Lists rows that wait for a person, oldest first. */
export async function listOpenRows(db: Db, companyId: CompanyId, limit = maxListed): Promise<OpenReturnedRow[]> {
  const { rows } = await sql<Omit<OpenReturnedRow, 'name'> & { cells: ReturnedCells }>`
    select r.id, to_char(r.month, 'YYYY-MM') as month, f.name as file, r.row_number as row, r.cells, r.problem as message,
      e.id as "suggestedId", e.first_name || ' ' || e.last_name as "suggestedName"
    from returned_rows r
    join returned_files f on ${ofCompany(companyId, 'f')} and f.month = r.month and f.sha256 = r.sha256
    left join ticket_orders o on ${ofCompany(companyId, 'o')} and o.order_id = r.suggested_order_id
    left join employees e on ${ofCompany(companyId, 'e')} and e.id = o.employee_id
    where ${ofCompany(companyId, 'r')} order by r.id limit ${limit}`.execute(db);
  return rows.map(({ cells, ...row }) => ({ ...row, name: describePerson(cells), number: numberOf(cells) }));
}

const numberOf = ({ ticketNumber, chipCardNumber, activationCode, orderId }: ReturnedCells) =>
  ticketNumber ?? chipCardNumber ?? activationCode ?? orderId ?? null;

interface Decision {
  rowId: number;
  /** Whose ticket it is, as a person says. Undefined: nobody's. */
  employeeId: number | undefined;
}

/**
 * Decides about a row that belongs to no order for certain: it is the ticket of an employee, or nobody's. The ticket is
 * checked like any other. Returns the message of what is wrong with it, or null.
 */
export function resolveRow(
  tx: Tx,
  companyId: CompanyId,
  { rowId, employeeId }: Decision,
  by: By & { at: Temporal.Instant },
): Promise<{ message: Message | null }> {
  return writeCompany(tx, companyId, async () => {
    await lockCompany(tx, companyId);
    const { rows } = await sql<{ month: string; number: number; cells: ReturnedCells }>`
      delete from returned_rows r where ${ofCompany(companyId, 'r')} and r.id = ${rowId}
      returning r.month, r.row_number as number, r.cells`.execute(tx);
    const [row] = rows;
    if (row === undefined) throw notFound('row of a returned list');
    const detail = { month: row.month.slice(0, 7), row: row.number, employeeId: employeeId ?? null };
    await insertAudit(tx, companyId, {
      action: employeeId === undefined ? 'issuer.dismiss-row' : 'issuer.assign-row',
      target: String(rowId),
      detail,
      ...by,
    });
    if (employeeId === undefined) return { message: null };
    const { rows: orders } = await sql<{ orderId: string }>`
      select o.order_id as "orderId" from ticket_orders o
      where ${ofCompany(companyId, 'o')} and o.employee_id = ${employeeId} and o.month = ${row.month}::date
      order by o.attempt desc limit 1`.execute(tx);
    const month = Temporal.PlainDate.from(row.month);
    const [candidate] = await loadCandidates(tx, companyId, month, orders[0]?.orderId ?? '');
    if (candidate === undefined) throw refuse(createMessage('returned-no-order', { id: employeeId }));
    const matched = readRow(row, candidate, { isConfirmed: true });
    if ('problem' in matched) throw refuse(matched.problem);
    const { failed } = await applyAnswers(tx, companyId, toAnswer(matched), by.at);
    await requestWork(tx, companyId, by.at.toString());
    if (failed === 0) return { message: null };
    const { rows: reasons } = await sql<{ reason: Message | null }>`
      select o.reason from ticket_orders o where ${ofCompany(companyId, 'o')} and o.order_id = ${candidate.orderId}`.execute(
      tx,
    );
    return { message: reasons[0]?.reason ?? null };
  });
}
