import { type Day, isBefore } from '../calendar.ts';
import type { SubscriptionStatus } from '../enums.ts';
import { pastAfter } from './public-dates.ts';
import { requestedFields } from './requested.ts';
import type { Rule } from './rules.ts';
import { type Subscription, statusOf } from './subscription.ts';
import type { Cause } from './transitions.ts';

const fields = [
  'startOn',
  'pausedOn',
  'resumesOn',
  'cancelledOn',
  'reactivatedOn',
  'cancelCauses',
  ...requestedFields,
  'notSubscribedBecause',
  'planType',
  'contributionCents',
  'contractStatus',
  'nextPlan',
] as const;

type FieldValue = string | number | boolean | readonly string[] | Subscription['past'] | Subscription['nextPlan'];

export interface FieldChange {
  /** `past`: only when a change is undone. Otherwise it follows from the dates. */
  field: (typeof fields)[number] | 'past';
  from: FieldValue;
  to: FieldValue;
}

/** One change of a subscription, and the reason. Dates in `fields` are YYYY-MM-DD. */
export interface Change {
  knownOn: Day;
  effectiveOn: Day;
  cause: Cause;
  rule: Rule;
  from: SubscriptionStatus;
  to: SubscriptionStatus;
  fields: FieldChange[];
}

/** A planned subscription and the changes that lead to it. Without changes the subscription is as before. */
export interface Planned {
  subscription: Subscription;
  changes: readonly Change[];
}

const plain = (value: Subscription[FieldChange['field']]): FieldValue =>
  value instanceof Temporal.PlainDate ? value.toString() : value;

const isSame = (a: FieldValue, b: FieldValue) => a === b || (Array.isArray(a) && String(a) === String(b));

export function changedFields(before: Subscription, after: Subscription): FieldChange[] {
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: plain(before[field]), to: plain(after[field]) }))
    .filter(({ from, to }) => !isSame(from, to));
}

/** Applies the patch and records the reason. One that changes nothing records nothing. */
export function record(
  planned: Planned,
  why: Pick<Change, 'knownOn' | 'effectiveOn' | 'cause' | 'rule'>,
  patch: Partial<Subscription>,
): Planned {
  const before = planned.subscription;
  const patched = { ...before, ...patch };
  const dated = { ...patched, status: statusOf(patched, why.knownOn) };
  const after = { ...dated, past: pastAfter(before, dated, isBefore) };
  const changed = changedFields(before, after);
  if (changed.length === 0 && after.status === before.status) return planned;
  const change = { ...why, from: before.status, to: after.status, fields: changed };
  return { subscription: after, changes: [...planned.changes, change] };
}
