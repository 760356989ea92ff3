import { type EmployeeMailKind, employeeMailKinds } from '../../../domain/enums.ts';

/** 0: sent at once. 1, 2: sent at the operator's rate, confirmations before what goes to many at once. */
export type Urgency = 0 | 1 | 2;

interface KindRule {
  urgency: Urgency;
  /** Employees do not need it to use the ticket that they have agreed on, so they may switch it off. */
  isOptional?: true;
  /** A company cannot switch it off. */
  isRequired?: true;
}

const ruleOf: Record<EmployeeMailKind, KindRule> = {
  'access-link': { urgency: 0, isRequired: true },
  invitation: { urgency: 2, isOptional: true },
  'invitation-reminder': { urgency: 2, isOptional: true },
  welcome: { urgency: 1 },
  ticket: { urgency: 2, isOptional: true },
  agreement: { urgency: 2 },
  'agreement-reminder': { urgency: 2 },
  'plan-changed': { urgency: 2 },
  'price-changed': { urgency: 2 },
  'pause-confirmed': { urgency: 1 },
  'resumption-confirmed': { urgency: 1 },
  'cancellation-confirmed': { urgency: 1 },
  'undo-confirmed': { urgency: 1 },
  'ticket-replaced': { urgency: 1 },
};

export const urgencyOf = (kind: EmployeeMailKind): Urgency => ruleOf[kind].urgency;
export const isOptional = (kind: EmployeeMailKind): boolean => ruleOf[kind].isOptional === true;

/** Those that employees may switch off. */
export const optionalMailKinds = employeeMailKinds.filter(isOptional);
/** Those that a company may switch off. */
export const switchableMailKinds = employeeMailKinds.filter((kind) => ruleOf[kind].isRequired !== true);

/** Returns what is switched off together: nobody who declines invitations wants to be reminded of them. */
export const switchedTogether = (kind: EmployeeMailKind): EmployeeMailKind[] =>
  kind === 'invitation' || kind === 'invitation-reminder' ? ['invitation', 'invitation-reminder'] : [kind];
