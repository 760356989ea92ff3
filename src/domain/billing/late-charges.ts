import { type Day, isBefore } from '../calendar.ts';
import { createMessage, type Message } from '../messages/message.ts';
import { coveredMonths, isCovered } from '../subscription/absences.ts';
import type { Facts } from '../subscription/subscription.ts';

/** A charge for a ticket that was not corrected. */
export interface TicketItem {
  id: number;
  /** The first day of the month. */
  period: string;
  grossCents: number;
}

/** Charges for months without need of a ticket, because their cause became known too late. */
export interface LateCharges {
  cause: 'termination' | 'absence';
  rule: 'late-termination' | 'late-absence';
  message: Message;
  /** The first of these months. */
  effectiveAt: string;
}

type LateFacts = Pick<Facts, 'terminatedOn' | 'absences'>;

const isAfterEmployment = ({ terminatedOn }: LateFacts, month: Day) =>
  terminatedOn !== null && isBefore(terminatedOn, month);

const toMonth = (period: string) => `${period.slice(5, 7)}/${period.slice(0, 4)}`;

/**
 * Returns which charges of an employee are for months after their employment, or for months that approved absences cover
 * completely, with what they cost and the proposed correction. A charge is never changed: somebody decides whether the
 * ticket was used.
 */
export function findLateCharges(
  facts: LateFacts,
  items: readonly TicketItem[],
  money: (cents: number) => string,
): LateCharges[] {
  const covered = coveredMonths(facts.absences);
  const byCause = Map.groupBy(items, ({ period }) => {
    const month = Temporal.PlainDate.from(period);
    if (isAfterEmployment(facts, month)) return 'termination';
    return isCovered(covered, month) ? 'absence' : undefined;
  });
  return (['termination', 'absence'] as const).flatMap((cause) => {
    const late = byCause.get(cause) ?? [];
    const [first] = late;
    if (first === undefined) return [];
    const values = {
      months: late.map(({ period }) => toMonth(period)).join(', '),
      amount: money(late.reduce((sum, { grossCents }) => sum + grossCents, 0)),
      items: late.map(({ id }) => id).join(', '),
    };
    const { terminatedOn } = facts;
    const message =
      cause === 'termination' && terminatedOn !== null
        ? createMessage('late-termination', { ...values, terminatedOn })
        : createMessage('late-absence', values);
    return [{ cause, rule: `late-${cause}` as const, message, effectiveAt: first.period }];
  });
}
