import { type Day, isBefore, isSameDay } from '../../../domain/calendar.ts';
import { type EmployeeState, planRequestFor } from '../../../domain/employee.ts';
import { isUnsubscribed, type Settings } from '../../../domain/subscription/subscription.ts';
import { type UninvitedReason, uninvitedReasons } from '../contract.ts';

/** The days on which an employee who has neither joined nor declined is reminded, counted from the invitation. */
export const reminderDays = [7, 21] as const;

const validDays = 60;

/** Nobody is reminded so shortly before the end that they could not answer. */
export const lastReminderDay = validDays - 1;

/** Returns the last day on which the links of an invitation work. */
export const lastDayOf = (invitedOn: Day): Day => invitedOn.add({ days: validDays });

/** Returns the first moment at which the links of an invitation do not work any more. */
export const endOf = (invitedOn: Day, timeZone: string): Temporal.Instant =>
  lastDayOf(invitedOn).add({ days: 1 }).toZonedDateTime(timeZone).toInstant();

export interface Invitation {
  invitedOn: Day;
  hasJoined: boolean;
  hasDeclined: boolean;
}

/**
 * How somebody was chosen: by hand, among all without a subscription, or by the service. Only who chooses by hand may
 * invite people who have declined, whose subscription has ended, or who have an invitation.
 */
export type Choice = 'by-hand' | 'everybody' | 'automatic';

export interface JoiningPlan {
  /** Why the employee is not invited. Null: they are. */
  refusal: UninvitedReason | null;
  /** What joining today would do. Undefined: the employee cannot join. */
  plan: ReturnType<typeof planRequestFor> | undefined;
}

const known = (code: string): UninvitedReason => uninvitedReasons.find((one) => one === code) ?? 'not-possible';

function refusalOf(
  { subscription: { status } }: EmployeeState,
  invitation: Invitation | undefined,
  { today, choice }: { today: Day; choice: Choice },
): UninvitedReason | null {
  if (invitation && isSameDay(invitation.invitedOn, today)) return 'invited-today';
  if (choice === 'by-hand') return null;
  if (invitation?.hasDeclined) return 'declined';
  if (status === 'cancelled') return 'ended';
  if (invitation === undefined) return null;
  const isOver = isBefore(lastDayOf(invitation.invitedOn), today);
  return choice === 'everybody' && isOver ? null : 'invited';
}

/** Plans whether an employee is invited, by the rules by which they could subscribe themselves. */
export function planInvitation(
  employee: EmployeeState,
  invitation: Invitation | undefined,
  { today, choice, settings }: { today: Day; choice: Choice; settings: Settings },
): JoiningPlan {
  const refused = (refusal: UninvitedReason): JoiningPlan => ({ refusal, plan: undefined });
  if (employee.isRemoved || employee.facts.offboarded) return refused('not-in-roster');
  if (!isUnsubscribed(employee.subscription.status)) return refused('subscribed');
  const plan = planRequestFor(employee, { action: 'subscribe', side: 'employee' }, today, settings);
  if (plan.refusal !== null) return refused(known(plan.refusal.code));
  return { plan, refusal: refusalOf(employee, invitation, { today, choice }) };
}

/** Returns what a letter with a code says. Null: the employee cannot join by one. */
export function planLetter(
  employee: EmployeeState,
  invitation: Invitation | undefined,
  context: { today: Day; choice: Choice; settings: Settings },
): { needsInvitation: boolean; firstMonth: Day | null } | null {
  const { refusal, plan } = planInvitation(employee, invitation, context);
  if (plan === undefined || refusal === 'declined' || refusal === 'ended') return null;
  const isOver =
    invitation === undefined ||
    invitation.hasDeclined ||
    invitation.hasJoined ||
    isBefore(lastDayOf(invitation.invitedOn), context.today);
  return { needsInvitation: isOver, firstMonth: plan.employee.subscription.startOn };
}
