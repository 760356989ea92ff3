import { sql } from 'kysely';
import { type Day, firstOfMonth, isBefore } from '../../domain/calendar.ts';
import { type DifferenceKind, differenceKinds } from '../../domain/enums.ts';
import { createMessage, type Message, type MessagePart } from '../../domain/messages/message.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { type Company, getCompany } from '../companies/companies.ts';
import { appendEvents } from '../events/append.ts';
import type { Notices } from '../notices/notices.ts';
import type { IssuerOrder, Reconciliation, TicketDifference } from './contract.ts';
import type { IssuerConnection } from './providers/issuer.ts';
import { isLastAttempt, mustHoldTicket } from './require.ts';
import { isSamePerson } from './rules/check-ticket.ts';
import { findIssuerRow, listOrders, type OrderRow, updateIssuer } from './store.ts';

/** More differences are counted, but not listed. */
const maxListed = 1_000;

type Found = TicketDifference & { kind: DifferenceKind };

function createFindings() {
  const counts = Object.fromEntries(differenceKinds.map((kind) => [kind, 0])) as Record<DifferenceKind, number>;
  const listed: Found[] = [];
  return {
    counts,
    listed,
    add(found: Found): void {
      counts[found.kind] += 1;
      if (listed.length < maxListed) listed.push(found);
    },
  };
}

type Findings = ReturnType<typeof createFindings>;

interface Subject {
  employeeId: number;
  orderId: string | null;
  state: OrderRow['state'] | null;
  reason: Message | null;
  firstName: string;
  lastName: string;
  orderedFirstName: string | null;
  orderedLastName: string | null;
  isRequired: boolean;
  hasTicket: boolean;
}

const asPart = ({ key, values }: Message): MessagePart => ({ key, values: values as MessagePart['values'] });

/** Returns what keeps somebody from the ticket that they must hold. */
function explainMissing({ state, reason }: Subject): Message {
  if (state === 'ordered') return createMessage('difference-not-confirmed');
  if (state === 'failed')
    return createMessage('difference-failed', { detail: reason === null ? [] : [asPart(reason)] });
  return createMessage(state === 'blocked' || state === 'replaced' ? 'difference-ended' : 'difference-not-ordered');
}

const stepSize = 2_000;

/** Lists everybody who must hold a ticket of the month or has an order, with the last attempt. */
async function listSubjects(db: Db, company: Company, month: Day, afterId: number): Promise<Subject[]> {
  const { id: companyId, processedThrough } = company;
  const first = month.toString();
  const isRequired = mustHoldTicket(company, month, processedThrough);
  const { rows } = await sql<Subject>`
    select e.id as "employeeId", o.order_id as "orderId", o.state, o.reason, e.first_name as "firstName",
      e.last_name as "lastName", o.first_name as "orderedFirstName", o.last_name as "orderedLastName",
      (${isRequired}) as "isRequired", t.employee_id is not null as "hasTicket"
    from employees e
    left join ticket_orders o on ${ofCompany(companyId, 'o')} and o.employee_id = e.id and o.month = ${first}::date
      and ${isLastAttempt(company)}
    left join tickets t on ${ofCompany(companyId, 't')} and t.employee_id = e.id and t.month = ${first}::date
      and t.blocked_at is null
    where ${ofCompany(companyId, 'e')} and e.id > ${afterId}
      and ((${isRequired}) or o.order_id is not null)
    order by e.id limit ${stepSize}`.execute(db);
  return rows;
}

/** Compares what is stored: everybody who must hold a ticket has exactly one, and nobody else. */
async function compareStored(db: Db, company: Company, month: Day, findings: Findings) {
  const hasBegun = !isBefore(company.processedThrough, month);
  let [required, issued] = [0, 0];
  for (let afterId = 0; ; ) {
    const subjects = await listSubjects(db, company, month, afterId);
    const last = subjects.at(-1);
    if (last === undefined) return { required, issued };
    afterId = last.employeeId;
    for (const subject of subjects) {
      const { employeeId, orderId, state, firstName, lastName, isRequired } = subject;
      const holds = hasBegun ? subject.hasTicket : state === 'issued';
      if (isRequired) required += 1;
      if (isRequired && holds) issued += 1;
      const about = { employeeId, orderId };
      if (isRequired && !holds) findings.add({ kind: 'missing', ...about, message: explainMissing(subject) });
      if (!isRequired && !subject.hasTicket && (state === 'ordered' || state === 'issued')) {
        findings.add({ kind: 'unexpected', ...about, message: createMessage('difference-still-ordered') });
      }
      const ordered = { firstName: subject.orderedFirstName ?? '', lastName: subject.orderedLastName ?? '' };
      if (isRequired && state === 'issued' && !isSamePerson(ordered, { firstName, lastName })) {
        const received = `${ordered.firstName} ${ordered.lastName}`;
        const message = createMessage('difference-name', { ordered: `${firstName} ${lastName}`, received });
        findings.add({ kind: 'mismatched', ...about, message });
      }
    }
  }
}

const isLive = ({ status }: IssuerOrder) => status === 'issued' || status === 'ordered';

/** What the issuer would honour. An order that its list repeats counts once. */
function createLive() {
  const first = new Map<number, string>();
  const others = new Map<number, Set<string>>();
  return {
    add(employeeId: number, orderId: string): void {
      const known = first.get(employeeId);
      if (known === undefined) first.set(employeeId, orderId);
      else if (known !== orderId) others.set(employeeId, (others.get(employeeId) ?? new Set()).add(orderId));
    },
    /** Returns who has several orders, and how many. */
    listDouble: () => [...others].map(([employeeId, more]) => ({ employeeId, count: more.size + 1 })),
  };
}

/** Compares one page of the issuer's orders with ours. */
async function comparePage(
  db: Db,
  companyId: CompanyId,
  { page, live, findings }: { page: IssuerOrder[]; live: ReturnType<typeof createLive>; findings: Findings },
): Promise<void> {
  const orders = [...new Map(page.map((order) => [order.orderId, order])).values()];
  const ids = orders.map(({ orderId }) => orderId);
  const known = await listOrders(db, companyId, sql`o.order_id = any(${ids}::text[])`);
  const byId = new Map(known.map((row) => [row.orderId, row]));
  for (const order of orders) {
    const { orderId, status } = order;
    const row = byId.get(orderId);
    if (row === undefined) {
      if (!isLive(order)) continue;
      const message = createMessage('difference-unknown-order', { orderId });
      findings.add({ kind: 'unexpected', employeeId: null, orderId, message });
      continue;
    }
    const { employeeId } = row;
    if (isLive(order)) live.add(employeeId, orderId);
    const isEnded = row.state === 'blocked' || row.state === 'replaced';
    if (isEnded && isLive(order)) {
      const message = createMessage('difference-still-ordered');
      findings.add({ kind: 'unexpected', employeeId, orderId, message });
    } else if (row.state === 'issued' && status !== 'issued') {
      const message = createMessage('difference-state', { received: status, ordered: row.state });
      findings.add({ kind: 'mismatched', employeeId, orderId, message });
    }
  }
}

interface Compared {
  companyId: CompanyId;
  month: Day;
  findings: Findings;
}

async function compareIssuer(db: Db, issuer: IssuerConnection, { companyId, month, findings }: Compared) {
  const live = createLive();
  for await (const page of issuer.list(month.toString().slice(0, 7))) {
    await comparePage(db, companyId, { page, live, findings });
  }
  for (const { employeeId, count } of live.listDouble()) {
    const message = createMessage('difference-double', { count });
    findings.add({ kind: 'double', employeeId, orderId: null, message });
  }
}

/** Compares a month with what the issuer has. Changes nothing. */
export async function reconcile(
  db: Db,
  companyId: CompanyId,
  month: Day,
  issuer: IssuerConnection | undefined,
): Promise<Reconciliation> {
  const company = await getCompany(db, companyId);
  const findings = createFindings();
  const { required, issued } = await compareStored(db, company, month, findings);
  if (issuer !== undefined) await compareIssuer(db, issuer, { companyId, month, findings });
  const of = (wanted: DifferenceKind): TicketDifference[] =>
    findings.listed.filter(({ kind }) => kind === wanted).map(({ kind: _, ...difference }) => difference);
  return {
    month: month.toString().slice(0, 7),
    ...{ required, issued, counts: findings.counts },
    ...{ missing: of('missing'), double: of('double'), unexpected: of('unexpected'), mismatched: of('mismatched') },
  };
}

interface ReconcileDeps {
  db: Db;
  clock: Clock;
  notices: Notices;
}

/** Stores what a reconciliation has found, and reports differences by an event and a notice. False: another job has. */
async function storeReconciliation({ db, clock, notices }: ReconcileDeps, companyId: CompanyId, found: Reconciliation) {
  const { counts, required, issued, missing, double, unexpected, mismatched } = found;
  const month = `${found.month}-01`;
  const differences = { missing, double, unexpected, mismatched };
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const now = clock.now();
  return writeCompany(db, companyId, async (tx) => {
    const row = await findIssuerRow(tx, companyId, { lock: true });
    if (row?.reconcileDue !== month) return false;
    await updateIssuer(tx, companyId, { reconcile_due: null });
    await sql`
      insert into issuer_reconciliations (company_id, month, reconciled_at, required, issued, differences, difference_count)
      values (${companyId}, ${month}::date, ${now.toString()}::timestamptz, ${required}, ${issued},
        ${JSON.stringify(differences)}::jsonb, ${count})`.execute(tx);
    if (count === 0) return true;
    const payload = { period: month, required, issued, differences: counts };
    appendEvents(tx, companyId, [{ type: 'ticket-differences-found', occurredAt: now, payload }]);
    await notices.queueNotices(tx, companyId, {
      name: 'ticket-differences',
      occasion: `${month}/${now.toString().slice(0, 10)}`,
      page: '/issuer',
      valuesIn: () => ({ month: { at: `${month}T12:00:00Z`, timeZone: 'UTC' }, count }),
    });
    return true;
  });
}

/** Reconciles the month that is due: before the first, and after it. Returns what was found. Null: no month is due. */
export async function reconcileIfDue(
  deps: ReconcileDeps,
  companyId: CompanyId,
  issuer: IssuerConnection | undefined,
): Promise<Reconciliation | null> {
  const row = await findIssuerRow(deps.db, companyId);
  if (row?.reconcileDue == null) return null;
  const found = await reconcile(deps.db, companyId, firstOfMonth(Temporal.PlainDate.from(row.reconcileDue)), issuer);
  return (await storeReconciliation(deps, companyId, found)) ? found : null;
}
