import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { EmployeePlan } from '../../domain/employee.ts';
import type { DocumentKind } from '../../domain/enums.ts';
import { searchText } from '../../domain/search.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { type Company, lockCompany } from '../companies/companies.ts';
import { type AgreementContext, contentOf } from './content-of.ts';
import { addToDocumentCount } from './counts.ts';
import { documentName } from './pdf/compose.ts';
import type { DocumentContent } from './pdf/content.ts';

/** A unique key of employee, kind, date and edition prevents that a document is written twice. */

/** A document with other content, or of another day, is a new edition. */
const editionOf = (content: DocumentContent) => hash('sha256', JSON.stringify(content), 'base64url').slice(0, 22);

/** A ticket has only one confirmation, whenever it is written. */
const onlyEdition = '';

interface NewRow {
  /** Of the employee. */
  id: number;
  kind: DocumentKind;
  about: Day | string;
  edition: string;
  name: string;
  content: DocumentContent;
  /** Whether the employee was removed. */
  isHidden: boolean;
}

/** Inserts documents that do not exist yet. Returns how many are new. */
export async function insertRows(
  tx: Tx,
  companyId: CompanyId,
  rows: readonly NewRow[],
  now: Temporal.Instant,
): Promise<number> {
  if (rows.length === 0) return 0;
  const searchable = rows.map((row) => ({ ...row, search: searchText(row.name) }));
  const { rows: counts } = await sql<{ added: number; visible: number }>`
    with written as (
      insert into documents (company_id, employee_id, kind, about, edition, name, search_text, file_type, content,
        created_at, updated_at, removed_at)
      select ${companyId}, r.id, r.kind, r.about, r.edition, r.name, r.search, 'pdf', r.content,
        ${now.toString()}::timestamptz, ${now.toString()}::timestamptz,
        case when r."isHidden" then ${now.toString()}::timestamptz end
      from json_to_recordset(${JSON.stringify(searchable)}::json)
        as r(id bigint, kind text, about date, edition text, name text, search text, content jsonb, "isHidden" boolean)
      on conflict do nothing
      returning removed_at
    )
    select count(*) as added, count(*) filter (where w.removed_at is null) as visible from written w`.execute(tx);
  await addToDocumentCount(tx, companyId, counts[0]?.visible ?? 0);
  return counts[0]?.added ?? 0;
}

/** Inserts the documents that inform employees of changes to their subscriptions. Returns how many are new. */
export function insertDocuments(
  tx: Tx,
  company: Company,
  planned: { id: number; plan: EmployeePlan }[],
  { now, agreement }: { now: Temporal.Instant; agreement?: AgreementContext },
): Promise<number> {
  const madeOn = todayIn({ now: () => now }, company.timeZone).toString();
  const rows = planned.flatMap(({ id, plan }) =>
    plan.documents.map((document): NewRow => {
      const name = documentName(document.kind, company.locale, null);
      const content = contentOf({ company, employeeId: id, employee: plan.employee, madeOn, agreement }, document);
      return { id, ...document, edition: editionOf(content), name, content, isHidden: false };
    }),
  );
  return insertRows(tx, company.id, rows, now);
}

const ticketsPerStep = 1_000;

/**
 * Inserts confirmations of a month's tickets for the next employees after `afterId`, from what was billed. Returns the
 * last employee id, or undefined if there are no more. Locks the company, so that no employee is removed meanwhile: a
 * confirmation is hidden with its employee or inserted hidden.
 */
export async function insertTicketConfirmations(
  tx: Tx,
  company: Company,
  { month, afterId, now }: { month: string; afterId: number; now: Temporal.Instant },
): Promise<number | undefined> {
  const { id: companyId, locale } = company;
  const name = documentName('ticket-confirmation', locale, month);
  const madeOn = todayIn({ now: () => now }, company.timeZone).toString();
  await lockCompany(tx, companyId);
  const { rows } = await sql<{ last_id: number | null; visible: number }>`
    with step as (
      select t.employee_id, coalesce(t.issuer_number, t.ticket_id) as ticket_id, t.valid_from, t.valid_until, t.plan_type, t.contribution_cents,
        case when t.blocked_at is null then t.barcode end as barcode
      from tickets t where ${ofCompany(companyId, 't')} and t.month = ${month}::date and t.employee_id > ${afterId}
      order by t.employee_id limit ${ticketsPerStep}
    ), written as (
      insert into documents (company_id, employee_id, kind, about, edition, name, search_text, file_type, content,
        created_at, updated_at, removed_at)
      select ${companyId}, s.employee_id, 'ticket-confirmation', ${month}::date, ${onlyEdition}, ${name},
        ${searchText(name)}, 'pdf',
        jsonb_build_object('kind', 'ticket-confirmation', 'locale', ${locale}::text, 'currency', ${company.currency}::text,
          'companyName', ${company.name}::text, 'companyAddress', ${JSON.stringify(company.address)}::jsonb, 'firstName', b.first_name, 'lastName', b.last_name, 'email', b.email,
          'employeeId', s.employee_id, 'planType', s.plan_type, 'contributionCents', s.contribution_cents,
          'madeOn', ${madeOn}::text, 'month', ${month}::text, 'ticketId', s.ticket_id, 'barcode', s.barcode, 'validFrom', s.valid_from,
          'validUntil', s.valid_until, 'netCents', b.net_cents, 'taxCents', b.tax_cents, 'grossCents', b.gross_cents,
          'companyShareCents', b.company_share_cents, 'employeeShareCents', b.employee_share_cents),
        ${now.toString()}::timestamptz, ${now.toString()}::timestamptz, e.removed_at
      from step s
      join billing_items b on ${ofCompany(companyId, 'b')} and b.employee_id = s.employee_id
        and coalesce(b.ticket_month, b.period) = ${month}::date and b.charge_type = 'ticket-charge' and b.corrects_id is null
      join employees e on ${ofCompany(companyId, 'e')} and e.id = s.employee_id
      on conflict do nothing
      returning removed_at
    )
    select (select max(s.employee_id) from step s) as last_id,
      (select count(*) from written w where w.removed_at is null) as visible`.execute(tx);
  const [step] = rows;
  await addToDocumentCount(tx, companyId, step?.visible ?? 0);
  return step?.last_id ?? undefined;
}

/** Inserts all confirmations of a month, with one transaction per step. A repeated call adds what is missing. */
export async function writeTicketConfirmations(
  db: Db,
  company: Company,
  { month, now, signal }: { month: string; now: Temporal.Instant; signal: AbortSignal },
): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined && !signal.aborted; ) {
    const afterId: number = last;
    last = await writeCompany(db, company.id, (tx) => insertTicketConfirmations(tx, company, { month, afterId, now }));
  }
}

/** Hides the documents of removed employees and shows those of returned ones. Requires the company lock. */
export async function hideDocumentsOf(
  tx: Tx,
  companyId: CompanyId,
  { gone, back }: { gone: number[]; back: number[] },
  now: Temporal.Instant,
): Promise<void> {
  if (gone.length + back.length === 0) return;
  const hidden = await sql`
    update documents d set removed_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 'd')} and d.employee_id = any(${gone}) and d.removed_at is null`.execute(tx);
  const shown = await sql`
    update documents d set removed_at = null
    where ${ofCompany(companyId, 'd')} and d.employee_id = any(${back}) and d.removed_at is not null`.execute(tx);
  await addToDocumentCount(tx, companyId, Number((shown.numAffectedRows ?? 0n) - (hidden.numAffectedRows ?? 0n)));
}
