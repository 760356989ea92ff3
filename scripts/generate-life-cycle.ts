import { earliestEffect } from '../src/domain/calendar.ts';
import {
  type ChargeType,
  chargeTypes,
  type DocumentKind,
  documentKinds,
  endCauses,
  type PlanType,
  planTypes,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../src/domain/enums.ts';
import { moneyFormat } from '../src/domain/money.ts';
import { describe } from '../src/domain/subscription/rules.ts';
import {
  isRunning,
  needsContract,
  type Plan,
  type SubscriptionDates,
} from '../src/domain/subscription/subscription.ts';
import { type Cause, causes, decisions, transitions } from '../src/domain/subscription/transitions.ts';
import { chargeTicket, type TicketPrice } from '../src/features/billing/rules/charges.ts';

/**
 * Generates docs/subscription-life-cycle.md: the rules as they are in the code, to explain why a date is what it is.
 */

const statuses: Record<SubscriptionStatus, { means: string; dates: string }> = {
  'no-subscription': { means: 'never subscribed', dates: 'all null' },
  scheduled: {
    means: 'starts later',
    dates:
      '`upcoming` is the `start`; `startAt` is null, or, with `cancelledAt`, that of the subscription that ended before',
  },
  active: {
    means: 'running',
    dates:
      '`startAt` is today or earlier; after a pause or a new start, `reactivatedAt` is that day; `upcoming` is null',
  },
  'scheduled-pause': { means: 'running, with a planned pause', dates: '`upcoming` is the `pause`' },
  paused: {
    means: 'no ticket at present',
    dates:
      '`pausedAt` is today or earlier; `upcoming` is the `resumption` or the `cancellation`, null while neither is known',
  },
  'scheduled-cancellation': {
    means: 'running, with a known end (takes precedence over a planned pause)',
    dates: '`upcoming` is the `cancellation`, or a `pause` before it; `cancelledAt` is null',
  },
  cancelled: { means: 'ended', dates: '`cancelledAt` is today or earlier; `startAt` is null if it never started' },
};

const causeMeanings: Record<Cause, string> = {
  termination: 'the roster contains the last day of employment (`terminationDate`)',
  offboard: 'the employee is missing from the roster',
  'contract-rejected': 'the contract is rejected',
  'opt-out': '`autoSyncEmployee` is `false` in the roster',
  cancel: 'a user cancels the subscription',
  subscribe: '`autoSyncEmployee` is `true` in the roster, or a user subscribes the employee',
  start: 'the first day of employment or the absences before the start change',
  absence: 'an approved absence becomes known or changes',
  'absence-withdrawn': 'an absence is withdrawn, shortened or no longer approved',
  pause: 'a user pauses the subscription until further notice',
  resume: 'a user resumes the subscription',
  'termination-withdrawn': 'the last day of employment is withdrawn',
  return: 'the employee is back in the roster',
  'contract-accepted': 'the contract is accepted',
  'not-subscribed': 'an employee is in the roster, but by the rules gets no subscription',
  calendar: 'a planned date is reached',
};

const plans: Record<PlanType, { bears: string; example: Plan }> = {
  'fully-subsidized-plan': {
    bears: 'the company pays everything',
    example: { planType: 'fully-subsidized-plan', contributionCents: null },
  },
  'deferred-plan': {
    bears: 'the employee pays everything: the company advances the amount and recovers it through payroll',
    example: { planType: 'deferred-plan', contributionCents: null },
  },
  'split-pay-plan': {
    bears: 'the employee pays the contribution, at most the price; the company pays the rest',
    example: { planType: 'split-pay-plan', contributionCents: 2000 },
  },
};

const charges: Record<ChargeType, string> = {
  'service-charge': 'per ticket, one item per company and month',
  'ticket-charge': 'one item per ticket',
  'hr-integration-charge':
    'per linked employee, one item per integration and month; an employee whom several integrations link counts once, for the one that linked them first',
  'hr-payroll-integration-charge': 'one item per company and month',
  'api-charge': 'one item per company and month',
};

const documents: Record<DocumentKind, string> = {
  'subscription-confirmation':
    'the date of the first ticket becomes known or changes: the contract is signed if the plan needs one, and no absence without an end covers the start',
  'contribution-agreement': 'the contract is accepted',
  'ticket-confirmation': 'a ticket is issued',
  'cancellation-confirmation':
    'the end of a subscription that runs, is paused or is about to start on a known day becomes known or changes; not on the end date itself, and not if the end was known before the start',
};

/** The names of the dates by which the rules plan. */
const dateNames: Record<keyof SubscriptionDates, string> = {
  startOn: '*start*',
  pausedOn: '*pause*',
  resumesOn: '*resumption*',
  cancelledOn: '*end*',
  reactivatedOn: '*reactivation*',
};

const inWords = (text: string) =>
  Object.entries(dateNames).reduce((result, [field, name]) => result.replaceAll(field, name), text);

const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

const table = (head: string[], rows: (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Returns the arrows between different statuses, each with its causes. Combines all reasons to end into one. */
function diagram(): string {
  const name = (status: SubscriptionStatus) => status.replaceAll('-', '_');
  const arrows = new Map<string, Set<Cause>>();
  for (const { cause, from, to } of transitions) {
    for (const [a, b] of from.flatMap((one) => to.map((other) => [one, other] as const))) {
      if (a === b) continue;
      const arrow = `${name(a)} --> ${name(b)}`;
      arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(cause));
    }
  }
  const label = (some: Set<Cause>) => {
    const isAnyEnd = endCauses.every((cause) => some.has(cause));
    const others = [...some].filter((cause) => !isAnyEnd || !endCauses.some((end) => end === cause));
    return [...(isAnyEnd ? ['any reason to end'] : []), ...others].join(', ');
  };
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...subscriptionStatuses.map((status) => `  state "${status}" as ${name(status)}`),
    ...subscriptionStatuses.slice(0, 1).map((status) => `  [*] --> ${name(status)}`),
    ...[...arrows].map(([arrow, some]) => `  ${arrow} : ${label(some)}`),
    '```',
  ].join('\n');
}

const transitionRows = causes.flatMap((cause) =>
  transitions
    .filter((row) => row.cause === cause)
    .map(({ from, to, changes }) => [code([cause]), code(from), code(to), inWords(changes)]),
);

const cutOffRows = ['2026-11-01', '2026-11-10', '2026-11-11', '2026-11-30'].map((knownOn) => [
  knownOn,
  earliestEffect(Temporal.PlainDate.from(knownOn), 10).toString(),
]);

const examplePrice: TicketPrice = {
  validFrom: Temporal.PlainDate.from('2026-01-01'),
  listCents: 6300,
  taxPercent: 7,
  discountPercent: 5,
  discountSharePercent: 25,
};
const euros = moneyFormat('en-IE', 'EUR');

const planRows = planTypes.map((planType) => {
  const { bears, example } = plans[planType];
  const charge = chargeTicket(examplePrice, example);
  const { netCents, taxCents, grossCents, companyShareCents, employeeShareCents } = charge;
  const amounts = [netCents, taxCents, grossCents, companyShareCents, employeeShareCents];
  return [code([planType]), bears, ...amounts.map(euros)];
});

export function lifeCycleDocument(): string {
  const running = subscriptionStatuses.filter(isRunning);
  const { listCents, taxPercent, discountPercent, discountSharePercent } = examplePrice;
  const contribution = euros(plans['split-pay-plan'].example.contributionCents ?? 0);
  return `<!-- Generated from src/domain by \`npm run generate\`. Change the rules there. -->

# The life cycle of a subscription

This page explains how the dates of a subscription come about. It is for users who manage employees and for developers who connect an
HR system. All days are days in the company's time zone. Tickets are valid for whole calendar months. Every change is recorded with its
cause, the rule that was applied and a sentence that explains it.

## Statuses

The status follows from the dates and today. A date in the API is a day on which something has happened. What is still to come is in
\`upcoming\`: the nearest change, such as \`{ "type": "pause", "at": "2026-12-01" }\`, or null.

- \`startAt\`: the day on which the subscription started; null before that.
- \`pausedAt\`: the first day of the present or the last pause; it stays when tickets resume or the subscription ends.
- \`cancelledAt\`: the day on which the subscription ended; null while it has not.
- \`reactivatedAt\`: the day on which tickets last resumed after a pause, or after an end.
- After an end, a new subscription has the \`startAt\` and \`cancelledAt\` of the ended one until its own start.

${table(
  ['status', 'meaning', 'dates'],
  subscriptionStatuses.map((status) => [code([status]), statuses[status].means, statuses[status].dates]),
)}

${diagram()}

## Cut-off

A pause or an end of a running subscription that becomes known by the cut-off day takes effect on the first of the next month. One that
becomes known later takes effect a month later. With the default cut-off on the 10th:

${table(['known on', 'takes effect at the earliest'], cutOffRows)}

Starts and resumptions have no cut-off: they take effect on the first of the next month at the earliest. The end of a scheduled or paused
subscription has no cut-off either: it takes effect immediately, unless tickets are issued before it or it was planned before the pause.
A planned change stays planned when a later cut-off passes, and is withdrawn when its cause no longer applies.

## Causes

${table(
  ['cause', 'what happened', 'kind'],
  causes.map((cause) => [
    code([cause]),
    causeMeanings[cause],
    [
      ...(endCauses.some((end) => end === cause) ? ['a reason to end'] : []),
      ...(decisions.some((decision) => decision === cause) ? ['can be decided by a user'] : []),
    ].join('; '),
  ]),
)}

The plans that need a contract are ${code(planTypes.filter(needsContract))}. If there are several reasons to end, the
earliest date applies. Rosters usually repeat \`autoSyncEmployee: true\` every night. Repeating the value does not undo a decision of a
user. Changing it to \`true\` withdraws a cancellation that has not taken effect, and subscribes the employee again after an end. \`null\`
leaves the subscription and a planned end unchanged.

## Every change

These are all possible changes. If the status stays the same, a date changes. *Start*, *pause*, *resumption* and *end* are the dates by
which the rules plan. The API shows the nearest one as \`upcoming\` until it is reached, and from then on as \`startAt\`, \`pausedAt\`,
\`reactivatedAt\` or \`cancelledAt\`.

${table(['cause', 'from', 'to', 'dates'], transitionRows)}

## Rules

Every change names the rule that was applied, for example in the records of a sync.

${table(
  ['rule', 'applies when'],
  Object.entries(describe).map(([id, sentence]) => [code([id]), sentence]),
)}

## Tickets

On the first of a month, every subscription that is ${code(running)} gets one ticket for
that month, even if the daily run is late or repeated. Changes that become known later in the month affect only later months.
\`nextTicketAt\` is the next first of a month on which a ticket is expected to be issued. It is null if none is expected, while the
contract is pending, and while an absence without an end covers the start.

## What is billed

Each period is billed on its first day, right after its tickets are issued. A price is valid from a date. A ticket costs the price that is
valid on the first of its month, for the plan of the subscription on that day. Charges are never changed: a correction is a new item in
the period in which it is made, and names the corrected item and the reason.

${table(
  ['charge', 'what is charged'],
  chargeTypes.map((type) => [code([type]), charges[type]]),
)}

Ticket prices are gross, fees are net. Tax is rounded half up to the cent, once per item. Net amount and tax add up to the gross amount. A
fee of 0 creates no item. Tickets are discounted if the company pays a large enough share of the list price. Example with a list price of
${euros(listCents)}, ${taxPercent} % tax, a discount of ${discountPercent} % if the company pays ${discountSharePercent} % or more, and a contribution of ${contribution}:

${table(['plan', 'who pays', 'net', 'tax', 'gross', 'company', 'employee'], planRows)}

## Documents

${table(
  ['document', 'created when'],
  documentKinds.map((kind) => [code([kind]), documents[kind]]),
)}
`;
}
