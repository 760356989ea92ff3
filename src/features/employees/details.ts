import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import { describeAbsences, listPossibleDecisions } from '../../domain/employee.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { View } from '../../platform/http/view.ts';
import { listKeyNames, listUserNames } from '../activity/actor-names.ts';
import { listChargesOf } from '../billing/list-charges.ts';
import { loadPrices } from '../billing/prices.ts';
import { findLateCharges } from '../billing/rules/late-charges.ts';
import { getCompany } from '../companies/companies.ts';
import { listDocuments } from '../documents/list.ts';
import { presentDocument } from '../documents/present.ts';
import type { EmployeeDetails } from './contract.ts';
import { listSubscriptionChanges, type SubscriptionChange } from './history.ts';
import { listTicketItems, loadEmployees } from './load.ts';
import { employeeViewOf, presentEmployee } from './present.ts';
import { type Answer, composeAnswer } from './rules/answer.ts';
import { findEmployee } from './store.ts';

/** Five years, at one per month. */
const maxListed = 60;
/** Documents are issued every month and with every change, so the limit is higher than for other lists. */
const documentsQuery = { page: 1, perPage: 200, sortOrder: 'desc' } as const;

async function listTickets(db: Db, companyId: CompanyId, employeeId: number): Promise<EmployeeDetails['tickets']> {
  const { rows } = await sql<EmployeeDetails['tickets'][number]>`
    select t.ticket_id as "ticketId", to_char(t.month, 'YYYY-MM') as month, t.valid_from as "validFrom",
      t.valid_until as "validUntil"
    from tickets t where ${ofCompany(companyId, 't')} and t.employee_id = ${employeeId}
    order by t.month desc limit ${maxListed}`.execute(db);
  return rows;
}

/** Returns the link with which an employee can sign their contract. Links expire by the clock of the database. */
async function findSigningLink(
  db: Db,
  { companyId, employeeId, timeZone }: { companyId: CompanyId; employeeId: number; timeZone: string },
) {
  const { rows } = await sql<{ createdAt: string; expiresAt: string }>`
    select l.created_at as "createdAt", l.expires_at as "expiresAt" from signing_links l
    where ${ofCompany(companyId, 'l')} and l.employee_id = ${employeeId} and l.expires_at > now()`.execute(db);
  const [link] = rows;
  const toDay = (time: string) => Temporal.Instant.from(time).toZonedDateTimeISO(timeZone).toPlainDate();
  return link ? { createdOn: toDay(link.createdAt), expiresOn: toDay(link.expiresAt) } : null;
}

/** Names users and keys that made changes, including those that have been removed or revoked since. */
async function nameActors(
  db: Db,
  companyId: CompanyId,
  changes: SubscriptionChange[],
): Promise<EmployeeDetails['history']> {
  const idsOf = (type: 'user' | 'key') => [
    ...new Set(changes.flatMap(({ actor }) => (actor.type === type ? (actor.name ?? []) : []))),
  ];
  const users = await listUserNames(db, companyId, idsOf('user'));
  const keys = await listKeyNames(db, companyId, idsOf('key'));
  return changes.map(({ actor: { type, name: id }, ...change }) => {
    const name = users.get(id ?? '') ?? keys.get(id ?? '') ?? id;
    return { ...change, actor: { type, name, username: type === 'key' ? id : null } };
  });
}

const dayOf = (date: string | undefined) => (date === undefined ? null : Temporal.PlainDate.from(date));

const presentAnswer = ({ nextTicketAt, lastTicket, lastDeduction, ...answer }: Answer): EmployeeDetails['answer'] => ({
  ...answer,
  nextTicketAt: nextTicketAt?.toString() ?? null,
  lastTicket: lastTicket?.toString() ?? null,
  lastDeduction: lastDeduction?.toString() ?? null,
});

/** Returns everything about one employee. Requires a transaction that sees a single state of the data. */
export async function loadEmployeeDetails(
  tx: Tx,
  { companyId, employeeId, today, view }: { companyId: CompanyId; employeeId: number; today: Day; view: View },
): Promise<EmployeeDetails> {
  const row = await findEmployee(tx, companyId, employeeId, today);
  const employee = (await loadEmployees(tx, companyId, [employeeId], today)).get(employeeId);
  if (row === undefined || employee === undefined) throw notFound('employee');
  const { facts } = employee;
  const history = await listSubscriptionChanges(tx, companyId, employeeId);
  const documents = await listDocuments(tx, companyId, documentsQuery, employeeId);
  const ticketItems = await listTicketItems(tx, companyId, [employeeId]);
  const late = findLateCharges(facts, ticketItems, (cents) => view.money(cents).label);
  const tickets = await listTickets(tx, companyId, employeeId);
  const company = await getCompany(tx, companyId);
  const decisions = listPossibleDecisions(employee, today, company);
  const answer = composeAnswer(employee, {
    today,
    decisions,
    lastIssued: dayOf(tickets[0]?.validFrom),
    lastDeducted: dayOf(ticketItems.findLast((item) => item.employeeShareCents > 0)?.period),
    changes: history,
    prices: (await loadPrices(tx)).tickets,
    link: await findSigningLink(tx, { companyId, employeeId, timeZone: company.timeZone }),
  });
  return {
    employee: presentEmployee(row, employeeViewOf(view, today)),
    answer: presentAnswer(answer),
    absences: describeAbsences(facts.absences),
    startDate: facts.employedFrom?.toString() ?? null,
    terminationDate: facts.terminationDate?.toString() ?? null,
    history: await nameActors(tx, companyId, history.reverse()),
    lateCharges: late.map(({ message }) => message),
    documents: documents.rows.map((document) => presentDocument(document, view.links)),
    tickets,
    charges: await listChargesOf(tx, { companyId, id: employeeId }, maxListed, view),
    decisions,
  };
}
