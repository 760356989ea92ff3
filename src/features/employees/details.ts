import { sql } from 'kysely';
import { type Day, firstOfMonth } from '../../domain/calendar.ts';
import {
  describeAbsences,
  type EmployeeState,
  type FieldChange,
  listPossibleDecisions,
  planningFor,
  rosterFields,
} from '../../domain/employee.ts';
import type { ActorType } from '../../domain/enums.ts';
import { appliedPolicy } from '../../domain/subscription/subscription.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { presentTimestamp, type View } from '../../platform/http/view.ts';
import { listKeyNames, listUserNames } from '../activity/actor-names.ts';
import { listChargesOf } from '../billing/list-charges.ts';
import { loadPrices } from '../billing/prices.ts';
import { findLateCharges } from '../billing/rules/late-charges.ts';
import { getCompany } from '../companies/companies.ts';
import { listDocuments } from '../documents/list.ts';
import { presentDocument } from '../documents/present.ts';
import { type EmployeeDetails, type HandChange, handActions } from './contract.ts';
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

/** Returns the day on which an employee was invited to join last, or null. */
async function findInvitedOn(db: Db, companyId: CompanyId, employeeId: number): Promise<Day | null> {
  const { rows } = await sql<{ invitedOn: string }>`
    select i.invited_on as "invitedOn" from joining_invitations i
    where ${ofCompany(companyId, 'i')} and i.employee_id = ${employeeId}`.execute(db);
  return dayOf(rows[0]?.invitedOn);
}

interface HandRow {
  action: string;
  detail: { hrId?: string; changes?: FieldChange[] };
  recordedAt: string;
  actorType: ActorType;
  actorName: string | null;
}

/** Returns what users and the operator have changed about an employee besides the subscription, newest first. */
async function listHandChanges(db: Db, companyId: CompanyId, employeeId: number) {
  const { rows } = await sql<HandRow>`
    select l.action, l.detail, l.at as "recordedAt", l.actor_type as "actorType", l.actor as "actorName"
    from audit_log l
    where ${ofCompany(companyId, 'l')} and audit_subject(l.action, l.target, l.detail) = ${`employee/${employeeId}`}
      and l.action = any(${handActions.map((action) => `employee.${action}`)})
    order by l.id desc limit ${maxListed}`.execute(db);
  return rows.map(({ action, detail: { hrId, changes = [] }, recordedAt, actorType, actorName }) => {
    const name = action.slice('employee.'.length) as HandChange['action'];
    const link = name === 'link' ? { from: null, to: hrId } : { from: hrId, to: null };
    return {
      action: name,
      changes: hrId === undefined ? changes : [{ field: 'hrId', ...link }],
      recordedAt: presentTimestamp(recordedAt),
      actor: { type: actorType, name: actorName },
    };
  });
}

/** Names users and keys that made changes, including those that have been removed or revoked since. */
async function nameActors<T extends Pick<SubscriptionChange, 'actor'>>(
  db: Db,
  companyId: CompanyId,
  changes: T[],
): Promise<(Omit<T, 'actor'> & Pick<HandChange, 'actor'>)[]> {
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

function presentPlanChange({ subscription: { nextPlan } }: EmployeeState, view: View): EmployeeDetails['planChange'] {
  if (nextPlan === null) return null;
  const { from, planType, contributionCents } = nextPlan;
  return {
    ...{ from, planType },
    employeeContributionAmount: contributionCents === null ? null : view.money(contributionCents),
  };
}

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
  const applied = appliedPolicy(planningFor(employee, company, today).settings, firstOfMonth(today));
  const answer = composeAnswer(employee, {
    today,
    decisions,
    joining: company.joining,
    invitedOn: await findInvitedOn(tx, companyId, employeeId),
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
    personnelNumber: employee.profile.personnelNumber,
    group: employee.profile.group,
    policy: applied ? { id: applied.policy.id, name: applied.policy.name, reason: applied.reason } : null,
    planChange: presentPlanChange(employee, view),
    setByHand: [...employee.setByHand],
    rosterFields: rosterFields(
      employee,
      row.links.some((link) => link.hr_integration_id !== null),
    ),
    handChanges: await nameActors(tx, companyId, await listHandChanges(tx, companyId, employeeId)),
    history: await nameActors(tx, companyId, history.reverse()),
    lateCharges: late.map(({ message }) => message),
    documents: documents.rows.map((document) => presentDocument(document, view.links)),
    tickets,
    charges: await listChargesOf(tx, { companyId, id: employeeId }, maxListed, view),
    decisions,
  };
}
