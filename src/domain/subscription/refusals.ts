import type { Day } from '../calendar.ts';
import { createMessage, formatMessage, type Message } from '../messages/message.ts';
import type { Subscription } from './subscription.ts';

export const refusalCodes = [
  'not-possible-in-this-status',
  'not-in-roster',
  'opted-out',
  'employment-ends',
  'ended-by-employee',
  'ended-by-company',
  'consent-required',
  'joining-not-allowed',
  'contract-rejected',
  'no-contract',
  'not-paused',
  'paused-by-employee',
  'paused-by-company',
  'pause-follows-absence',
  'pause-ends-earlier',
  'after-cut-off',
  'too-early',
  'too-far-ahead',
  'until-too-early',
  'until-without-pause',
  'still-running',
  'ends-before',
  'absence-without-end',
  'undo-too-late',
  'undo-not-possible',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

export interface Refusal {
  code: RefusalCode;
  sentence: string;
  message: Message;
  /** The first month that can be asked for. Null: none, or not a question of the month. */
  earliestFrom: Day | null;
}

type MonthCode = 'after-cut-off' | 'too-early' | 'still-running';

const create = (code: RefusalCode, message: Message, earliestFrom: Day | null): Refusal => ({
  code,
  sentence: formatMessage(message),
  message,
  earliestFrom,
});

export const refuse = (code: Exclude<RefusalCode, MonthCode>, { status }: Subscription): Refusal =>
  create(
    code,
    code === 'not-possible-in-this-status'
      ? createMessage(`refusal-${code}`, { status })
      : createMessage(`refusal-${code}`),
    null,
  );

/** `on`: the month that can be asked for instead. */
export const refuseMonth = (code: MonthCode, on: Day): Refusal =>
  create(code, createMessage(`refusal-${code}`, { on }), on);
