import { type Day, isBefore } from '../../../domain/calendar.ts';
import { type LateCause, lateCauses } from '../../../domain/enums.ts';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { coveredMonths, isCovered } from '../../../domain/subscription/absences.ts';
import type { Facts } from '../../../domain/subscription/subscription.ts';

/** A charge for a ticket that was not corrected. */
export interface TicketItem {
  id: number;
  /** The first day of the month. */
  period: string;
  grossCents: number;
}

/** Charges for months without need of a ticket, because their cause became known too late. */
export interface LateCharges {
  cause: LateCause;
  rule: 'late-termination' | 'late-absence';
  message: Message;
  /** The first of these months. */
  effectiveAt: string;
  itemIds: number[];
}

type LateFacts = Pick<Facts, 'terminationDate' | 'absences'>;

const isAfterEmployment = ({ terminationDate }: LateFacts, month: Day) =>
  terminationDate !== null && isBefore(terminationDate, month);

const toMonth = (period: string) => `${period.slice(5, 7)}/${period.slice(0, 4)}`;

/** Late charges belong to the newest change with their cause, or to the newest change if there is none. */
export function assignLateCharges(
  changes: readonly { cause: string }[],
  late: readonly LateCharges[],
): LateCharges[][] {
  const placeOf = ({ cause }: LateCharges) => {
    const found = changes.findLastIndex((change) => change.cause === cause);
    return found === -1 ? changes.length - 1 : found;
  };
  return changes.map((_, index) => late.filter((one) => placeOf(one) === index));
}

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
  return lateCauses.flatMap((cause) => {
    const late = byCause.get(cause) ?? [];
    const [first] = late;
    if (first === undefined) return [];
    const values = {
      months: late.map(({ period }) => toMonth(period)).join(', '),
      amount: money(late.reduce((sum, { grossCents }) => sum + grossCents, 0)),
      items: late.map(({ id }) => id).join(', '),
    };
    const { terminationDate } = facts;
    const message =
      cause === 'termination' && terminationDate !== null
        ? createMessage('late-termination', { ...values, terminatedOn: terminationDate })
        : createMessage('late-absence', values);
    return [
      { cause, rule: `late-${cause}` as const, message, effectiveAt: first.period, itemIds: late.map(({ id }) => id) },
    ];
  });
}
