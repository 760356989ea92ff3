import type { RequestAction, Side } from '../enums.ts';
import type { Rule } from './rules.ts';
import type { PlanningDay } from './subscription.ts';

export interface PlannedRequest {
  action: RequestAction;
  side: Side;
  /** No month was asked for: the earliest possible one. */
  isEarliest: boolean;
  /** Explains the request itself: a pause, or an end or a resumption that moves no date. */
  rule: Rule;
}

export interface PlanningInput extends PlanningDay {
  /** Set while a request or a decision about the contract is planned, which is then the cause of the changes. */
  request?: PlannedRequest | undefined;
  isContractRejected?: boolean | undefined;
}
