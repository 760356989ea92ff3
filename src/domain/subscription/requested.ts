import { type Day, earliestOf, isDue, type Months } from '../calendar.ts';
import { type Side, sides } from '../enums.ts';

/**
 * What each side has asked for and not taken back. Flat, because each is a field whose changes the history records.
 * Months are named by their first day.
 */
export interface Requested {
  /** The first month that the last subscription may start in. Null: the earliest possible one. */
  startsFrom: Day | null;
  employeePauseFrom: Day | null;
  /** Null: until further notice. */
  employeePauseUntil: Day | null;
  employeeEndOn: Day | null;
  companyPauseFrom: Day | null;
  companyPauseUntil: Day | null;
  companyEndOn: Day | null;
}

export const requestedFields = [
  'startsFrom',
  'employeePauseFrom',
  'employeePauseUntil',
  'employeeEndOn',
  'companyPauseFrom',
  'companyPauseUntil',
  'companyEndOn',
] as const satisfies readonly (keyof Requested)[];

export const nothingRequested: Requested = {
  startsFrom: null,
  employeePauseFrom: null,
  employeePauseUntil: null,
  employeeEndOn: null,
  companyPauseFrom: null,
  companyPauseUntil: null,
  companyEndOn: null,
};

export const otherSide = (side: Side): Side => (side === 'employee' ? 'company' : 'employee');

export function requestedPause(requested: Requested, side: Side): Months | null {
  const from = requested[`${side}PauseFrom`];
  return from && { from, until: requested[`${side}PauseUntil`] };
}

export const requestedPauses = (requested: Requested): Months[] =>
  sides.flatMap((side) => requestedPause(requested, side) ?? []);

export const pausePatch = (side: Side, pause: Months | null): Partial<Requested> => ({
  [`${side}PauseFrom`]: pause?.from ?? null,
  [`${side}PauseUntil`]: pause?.until ?? null,
});

export const requestedEnd = (requested: Requested, side: Side): Day | null => requested[`${side}EndOn`];

export const firstRequestedEnd = (requested: Requested): Day | null =>
  earliestOf(sides.flatMap((side) => requestedEnd(requested, side) ?? []));

export const endPatch = (side: Side, on: Day | null): Partial<Requested> => ({ [`${side}EndOn`]: on });

/** Returns the changes that forget pauses which are over, so that nobody can take them back. */
export const withoutPastPauses = (requested: Requested, today: Day): Partial<Requested> =>
  Object.assign({}, ...sides.map((side) => isDue(requested[`${side}PauseUntil`], today) && pausePatch(side, null)));
