import { type Actor, operator } from '../../domain/actor.ts';
import { type Day, firstOfMonth } from '../../domain/calendar.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { moneyFormat } from '../../domain/money.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { refuseBody } from '../../platform/http/errors.ts';
import type { View } from '../../platform/http/view.ts';
import { insertAudits } from '../activity/record.ts';
import { appendBillingItems, insertBillingItems, type NewBillingItem } from '../billing/insert.ts';
import { findCorrectionMessage, readCorrectionReason } from '../billing/rules/correction-reasons.ts';
import { getCompany } from '../companies/companies.ts';
import type { EngineContext } from '../context.ts';
import { type DailyRunDeps, lockAndCatchUp } from '../daily-run/run.ts';
import { assertEmployee } from '../employees/find-employee.ts';
import { reviseStatements } from '../payroll/year/statements.ts';
import { type Corrections, type CorrectionsBody, mostCorrected } from './contract.ts';
import { type ChargeRow, findCorrections, listItems, listTicketCharges, type TicketMonths } from './store.ts';

/** What is to be corrected: some charges, or the tickets of an employee. */
export type Selection = { items: readonly number[] } | TicketMonths;

const refuse = (pointer: string, code: 'either' | 'neither' | 'no-month' | 'months') =>
  refuseBody([{ pointer, code: 'invalid-selection', message: createMessage(`corrections-${code}`) }]);

/** Returns what a body selects. Throws if it names both charges and an employee, or neither. */
export function readSelection({ items, employeeId, from, to }: Omit<CorrectionsBody, 'reason'>): Selection {
  if (items !== undefined) {
    const other = Object.entries({ employeeId, from, to }).find(([, value]) => value !== undefined)?.[0];
    if (other !== undefined) throw refuse(`/${other}`, 'either');
    return { items };
  }
  if (employeeId === undefined) throw refuse('/items', 'neither');
  if (from === undefined) throw refuse('/from', 'no-month');
  if (to !== undefined && to < from) throw refuse('/to', 'months');
  return { employeeId, from, to: to ?? null };
}

interface Reversal {
  companyId: CompanyId;
  selection: Selection;
  /** A code or any text. */
  reason: string;
}

type Outcome = Corrections['items'][number]['outcome'];

interface Reversed {
  id: number;
  item: ChargeRow | undefined;
  outcome: Outcome;
  correctionId: number | null;
}

export interface Reversals {
  period: Day;
  reason: string;
  items: Reversed[];
}

async function findIds(tx: Tx, companyId: CompanyId, selection: Selection): Promise<readonly number[]> {
  if ('items' in selection) return selection.items;
  await assertEmployee(tx, companyId, selection.employeeId);
  return listTicketCharges(tx, companyId, selection, mostCorrected);
}

/** Returns what would become of each charge. */
async function plan(tx: Tx, { companyId, selection, reason }: Reversal, today: Day): Promise<Reversals> {
  const ids = await findIds(tx, companyId, selection);
  const rows = ids.length === 0 ? [] : await listItems(tx, companyId, ids);
  const items = new Map(rows.map((row) => [row.id, row]));
  const known = await findCorrections(tx, companyId, ids);
  const outcomeOf = (id: number, item: ChargeRow | undefined): Outcome => {
    if (item === undefined) return 'not-found';
    if (item.corrects_id !== null) return 'is-correction';
    return known.has(id) ? 'already-corrected' : 'corrected';
  };
  return {
    period: firstOfMonth(today),
    reason: readCorrectionReason(reason),
    items: [...ids]
      .sort((a, b) => a - b)
      .map((id) => {
        const item = items.get(id);
        return { id, item, outcome: outcomeOf(id, item), correctionId: known.get(id) ?? null };
      }),
  };
}

const negated = (cents: number) => 0 - cents;

const reverse = (
  { id, ticket_month: _, ...item }: ChargeRow,
  { period, reason, now }: { period: string; reason: string; now: Temporal.Instant },
): NewBillingItem => ({
  ...item,
  period,
  net_cents: negated(item.net_cents),
  tax_cents: negated(item.tax_cents),
  gross_cents: negated(item.gross_cents),
  company_share_cents: item.company_share_cents && negated(item.company_share_cents),
  employee_share_cents: item.employee_share_cents && negated(item.employee_share_cents),
  quantity: item.quantity && negated(item.quantity),
  corrects_id: id,
  corrects_period: item.period,
  reason,
  billed_at: now.toString(),
});

/**
 * Reverses charges by new items in the period of the day on which it is made. Neither the charges nor the sums of their
 * periods change. A charge that was corrected before stays as it is: a unique key enforces that, and the company lock
 * lets concurrent requests wait for each other.
 */
export async function correctCharges(
  tx: Tx,
  deps: DailyRunDeps,
  reversal: Reversal & { actor: Actor },
): Promise<Reversals> {
  const { companyId, actor } = reversal;
  const { company, today } = await lockAndCatchUp(tx, deps, companyId);
  const now = deps.clock.now();
  const planned = await plan(tx, reversal, today);
  const due = planned.items.flatMap(({ item, outcome }) => (outcome === 'corrected' && item ? [item] : []));
  if (due.length === 0) return planned;
  const { reason } = planned;
  const period = planned.period.toString();
  const added = await insertBillingItems(
    tx,
    companyId,
    due.map((item) => reverse(item, { period, reason, now })),
  );
  const ids = due.map(({ id }) => id);
  const corrections = await findCorrections(tx, companyId, ids);
  const message = findCorrectionMessage(reason);
  await insertAudits(
    tx,
    companyId,
    ids.map((id) => ({
      ...{ actor, action: 'billing.correct', target: String(id), at: now },
      detail: { correctionId: corrections.get(id), period, reason, ...(message && { message }) },
    })),
  );
  appendBillingItems(tx, companyId, { period, added, now });
  const charges = due.filter(({ charge_type: type }) => type === 'ticket-charge');
  const revised = await reviseStatements(tx, company, {
    charges: charges.map(({ employee_id: employeeId, ticket_month: month, period: billed }) => ({
      employeeId,
      period: month ?? billed,
    })),
    now,
  });
  if (revised > 0) await deps.queue.enqueueDocuments(tx, companyId, null);
  return {
    ...planned,
    items: planned.items.map((item) => ({ ...item, correctionId: corrections.get(item.id) ?? item.correctionId })),
  };
}

/** Returns what a correction would do, and changes nothing. */
export const previewCorrections = (db: Db, { clock }: Pick<DailyRunDeps, 'clock'>, reversal: Reversal) =>
  inSnapshot(db, async (tx) => {
    const { timeZone } = await getCompany(tx, reversal.companyId);
    return plan(tx, reversal, todayIn(clock, timeZone));
  });

export function presentCorrections({ period, reason, items }: Reversals, view: Pick<View, 'money'>): Corrections {
  const corrected = items.filter(({ outcome }) => outcome === 'corrected');
  const centsOf = ({ item }: Reversed) => negated(item?.gross_cents ?? 0);
  return {
    period: period.toString(),
    reason,
    corrected: corrected.length,
    overall: view.money(corrected.reduce((sum, one) => sum + centsOf(one), 0)),
    items: items.map((one) => ({
      id: one.id,
      outcome: one.outcome,
      chargeType: one.item?.charge_type ?? null,
      period: one.item?.period ?? null,
      employeeId: one.item?.employee_id ?? null,
      overall: one.outcome === 'corrected' ? view.money(centsOf(one)) : null,
      correctionId: one.correctionId,
    })),
    resource: 'billing-corrections',
  };
}

const noSuchItem = (itemId: number) => new OperatorError(`There is no billing item ${itemId}. Check the id.`);

/** All ids come from one sequence. Asks every node of a cluster, which no transaction that writes may do. */
export async function findCompanyOfItem(db: Db, itemId: number): Promise<CompanyId> {
  const found = await db.selectFrom('billing_items as b').select('b.company_id').where('b.id', '=', itemId).execute();
  const [item] = found;
  if (item === undefined) throw noSuchItem(itemId);
  if (found.length > 1)
    throw new OperatorError(`Several companies have a billing item ${itemId}. Choose one with --company.`);
  return asCompanyId(item.company_id);
}

/** Corrects an item, for an operator who may name only the item. Throws if it cannot be corrected. */
export async function correctItem(
  { db, ...deps }: DailyRunDeps & { db: Db },
  { item: itemId, reason, company }: { item: number; reason: string; company: CompanyId | undefined },
) {
  const companyId = company ?? (await findCompanyOfItem(db, itemId));
  const reversal = { companyId, selection: { items: [itemId] }, reason, actor: operator };
  const { period, items } = await writeCompany(db, companyId, (tx) => correctCharges(tx, deps, reversal));
  const [done] = items;
  if (done?.item === undefined) throw noSuchItem(itemId);
  if (done.outcome === 'is-correction') {
    throw new OperatorError(
      `Item ${itemId} is a correction of item ${done.item.corrects_id}, and corrections cannot be corrected.`,
    );
  }
  if (done.outcome === 'already-corrected') throw new OperatorError(`Item ${itemId} has already been corrected.`);
  return {
    id: done.correctionId,
    period: period.toString(),
    corrects: { id: itemId, period: done.item.period },
    grossCents: negated(done.item.gross_cents),
  };
}

interface TicketsInput {
  employee: number;
  from: Day;
  to: Day | undefined;
  reason: string;
  dryRun: boolean | undefined;
}

/** Corrects the charges for tickets of an employee, or says what would be corrected. */
export async function correctTickets(
  { db, companyId, ...deps }: EngineContext,
  { employee: employeeId, from, to, reason, dryRun }: TicketsInput,
) {
  const selection = readSelection({ employeeId, from: from.toString(), ...(to && { to: to.toString() }) });
  const reversal = { companyId, selection, reason, actor: operator };
  const reversals = await (dryRun
    ? previewCorrections(db, deps, reversal)
    : writeCompany(db, companyId, (tx) => correctCharges(tx, deps, reversal)));
  const { locale, currency } = await getCompany(db, companyId);
  const format = moneyFormat(locale, currency);
  return presentCorrections(reversals, { money: (cents) => ({ label: format(cents), value: cents }) });
}
