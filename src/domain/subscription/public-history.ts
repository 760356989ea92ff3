import type { SubscriptionStatus } from '../enums.ts';
import { isTextBefore, noPast, type PlannedDates, pastAfter, publicTexts } from './public-dates.ts';

/** A change as it is stored: in the names of the rules, with dates as texts. */
export interface StoredChange {
  from: SubscriptionStatus;
  to: SubscriptionStatus;
  fields: readonly { field: string; from: unknown; to: unknown }[];
}

export interface PublicFieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

const dateFields = ['startOn', 'pausedOn', 'resumesOn', 'cancelledOn', 'reactivatedOn'] as const;

const planFields: Record<string, string> = {
  planType: 'plan.type',
  contractStatus: 'plan.contractSigningStatus',
  contributionCents: 'plan.employeeContributionAmount',
};

const noDates: Omit<PlannedDates<string>, 'status'> = { ...noPast, resumesOn: null, past: noPast };

const patchOf = ({ fields }: StoredChange, side: 'from' | 'to') =>
  Object.fromEntries(
    fields.filter(({ field }) => dateFields.some((date) => date === field)).map((one) => [one.field, one[side]]),
  ) as Partial<Record<(typeof dateFields)[number], string | null>>;

function compareDates(before: PlannedDates<string>, after: PlannedDates<string>): PublicFieldChange[] {
  const from: Record<string, unknown> = { ...publicTexts(before) };
  const to: Record<string, unknown> = { ...publicTexts(after) };
  return Object.keys(to)
    .filter((field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]))
    .map((field) => ({ field, from: from[field], to: to[field] }));
}

/**
 * Returns what each change of a subscription has changed, in the words of the API: dates that were reached, what is
 * upcoming, and the plan. The changes are all of one employee, oldest first, because a date that was reached long ago
 * may be shown again. What only the rules need is left out: the cause and the rule of the change explain it.
 */
export function describeHistory(changes: readonly StoredChange[]): PublicFieldChange[][] {
  let known = noDates;
  return changes.map((change) => {
    const before = { ...known, ...patchOf(change, 'from'), status: change.from };
    const planned = { ...before, ...patchOf(change, 'to'), status: change.to };
    const restored = change.fields.find(({ field }) => field === 'past');
    const past = restored ? (restored.to as typeof noPast) : pastAfter(before, planned, isTextBefore);
    const after = { ...planned, past };
    known = after;
    const plan = change.fields.flatMap(({ field, from, to }) =>
      planFields[field] === undefined ? [] : [{ field: planFields[field], from, to }],
    );
    return [...compareDates(before, after), ...plan];
  });
}
