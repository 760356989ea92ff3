import type { Day } from '../../domain/calendar.ts';
import { planDay } from '../../domain/employee.ts';
import { toEmployee } from '../../domain/messages/to-employee.ts';
import { moneyFormat } from '../../domain/money.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { loadPrices } from '../billing/prices.ts';
import { getCompany } from '../companies/companies.ts';
import { loadEmployees } from '../employees/load.ts';
import { loadOwnFacts } from '../employees/own-answer.ts';
import type { MyPossibleAction, MySubscription, RequestPreview } from './my-contract.ts';
import { listRequests } from './request.ts';
import {
  describeOwn,
  describeToday,
  isTrivial,
  listOwnActions,
  type OwnSituation,
  type OwnSubscription,
  type PlannedOwnRequest,
  whoCanChange,
} from './rules/own-subscription.ts';

/** Reads everything about the subscription of an employee who looks at it. Throws if they were removed. */
export async function loadOwnSituation(
  db: Db,
  clock: Clock,
  { companyId, employeeId }: { companyId: CompanyId; employeeId: number },
): Promise<OwnSituation> {
  const [company, prices, facts] = await Promise.all([
    getCompany(db, companyId),
    loadPrices(db),
    loadOwnFacts(db, companyId, employeeId),
  ]);
  const today = todayIn(clock, company.timeZone);
  const known = (await loadEmployees(db, companyId, [employeeId], today)).get(employeeId);
  if (known === undefined || known.isRemoved || planDay(known, today).employee.isRemoved) throw notFound('employee');
  return { company, today, known, prices: prices.tickets, facts };
}

const text = (day: Day | null) => day?.toString() ?? null;
const month = (day: Day | null) => day?.toString().slice(0, 7) ?? null;

function presentDates({ company }: OwnSituation, own: OwnSubscription) {
  const { answer, amounts, deductedWith, startAt, endAt, pauses } = own;
  const format = moneyFormat(company.locale, company.currency);
  const money = (cents: number) => ({ label: format(cents), value: cents });
  return {
    status: own.employee.subscription.status,
    sentence: toEmployee(answer.sentence),
    ticketPrice: money(amounts.ticketCents),
    companyAmount: money(amounts.companyCents),
    employeeAmount: money(amounts.employeeCents),
    ...{ deductedWith: month(deductedWith), startAt: text(startAt), endAt: text(endAt) },
    nextTicketAt: text(answer.nextTicketAt),
    ...{ lastTicketMonth: month(answer.lastTicket), lastDeductionMonth: month(answer.lastDeduction) },
    pauses: pauses.map(({ by, from, until }) => ({ by, from: from.toString(), until: text(until) })),
  };
}

/** Returns one's own subscription, and what can be done with it. */
export async function presentOwnSubscription(
  db: Db,
  situation: OwnSituation,
  employeeId: number,
): Promise<{ subscription: MySubscription; actions: MyPossibleAction[] }> {
  const { company, today } = situation;
  const own = describeToday(situation);
  const actions = listOwnActions(situation);
  const requests = await listRequests(db, company.id, employeeId, today);
  const undoable = requests.find(({ side, isUndoable }) => side === 'employee' && isUndoable);
  return {
    subscription: {
      ...presentDates(situation, own),
      reasons: own.answer.reasons.map(toEmployee),
      planType: own.planType,
      whoCanChange: whoCanChange(own, actions),
      undo: undoable?.undoUntil ? { requestId: undoable.id, action: undoable.action, until: undoable.undoUntil } : null,
    },
    actions: actions.map(({ action, refusal, earliestFrom }) => ({
      ...{
        action,
        isPossible: refusal === null,
        message: isTrivial(refusal) ? null : (refusal?.message ?? null),
        earliestFrom: text(earliestFrom),
      },
    })),
  };
}

/** What a request does: the state afterwards, and what changes on the way. */
export function presentOutcome(
  situation: OwnSituation,
  action: MyPossibleAction['action'],
  { plan, from, until, undoUntil }: Pick<PlannedOwnRequest, 'plan' | 'from' | 'until' | 'undoUntil'>,
) {
  return {
    ...{ action, from: text(from), until: text(until), undoUntil: text(undoUntil) },
    ...presentDates(situation, describeOwn(plan.employee, situation)),
    changes: plan.subscriptionChanges.map(({ effectiveOn, rule }) => ({
      effectiveOn: effectiveOn.toString(),
      message: toEmployee(rule.message),
    })),
  };
}

export function presentPreview(
  situation: OwnSituation,
  action: MyPossibleAction['action'],
  planned: PlannedOwnRequest,
): RequestPreview {
  const { refusal, needsAgreement } = planned;
  if (refusal === null) return { refusal: null, needsAgreement, ...presentOutcome(situation, action, planned) };
  const plan = planDay(situation.known, situation.today);
  return {
    refusal: { code: refusal.code, message: refusal.message, earliestFrom: text(refusal.earliestFrom) },
    needsAgreement: false,
    ...presentOutcome(situation, action, { plan, from: null, until: null, undoUntil: null }),
    changes: [],
  };
}
