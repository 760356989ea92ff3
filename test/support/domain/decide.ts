import assert from 'node:assert/strict';
import { type RequestAction, requestActions, type Side, sides } from '../../../src/domain/enums.ts';
import {
  type DecisionContext,
  type DecisionPlan,
  planContractDecision,
} from '../../../src/domain/subscription/decisions.ts';
import { planRequest } from '../../../src/domain/subscription/requests.ts';
import type { Subscription } from '../../../src/domain/subscription/subscription.ts';
import type { Decision } from '../../../src/domain/subscription/transitions.ts';

/** A decision of a user, or a request such as `employee pause from=2026-05-01 until=2026-07-01`, or `… with-consent`. */
export type Asked = Decision | `${Side} ${RequestAction}${string}`;

export const isRequest = (text: string) => sides.some((side) => text.startsWith(`${side} `));

/** Plans a decision of a user as the portal does, without months, or a request. */
export function planDecision(current: Subscription, asked: Asked, context: DecisionContext): DecisionPlan {
  if (asked === 'contract-accepted' || asked === 'contract-rejected') {
    return planContractDecision(current, asked, context);
  }
  const [side, name, ...more] = isRequest(asked) ? asked.split(' ') : ['company', asked];
  const action = requestActions.find((one) => one === name);
  assert.ok(action !== undefined, asked);
  const months = Object.fromEntries(
    more.filter((part) => part.includes('=')).map((part) => part.split('=') as [string, string]),
  );
  const day = (text: string | undefined) => (text === undefined ? undefined : Temporal.PlainDate.from(text));
  const consent = more.includes('with-consent') ? { given: 'on-paper' as const, on: context.today } : undefined;
  return planRequest(
    current,
    { side: side as Side, action, from: day(months.from), until: day(months.until) },
    { ...context, consent },
  );
}
