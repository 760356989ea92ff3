import { chargeTicket, type TicketPrice } from '../src/domain/billing/charges.ts';
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

/**
 * Generates docs/subscription-life-cycle.md: the rules as they are in the code, to explain why a date is what it is.
 */

const statuses: Record<SubscriptionStatus, { means: string; dates: string }> = {
  'no-subscription': { means: 'never subscribed', dates: 'all null' },
  scheduled: {
    means: 'starts later',
    dates:
      '`startAt` is after today, and `reactivatedAt` the same if it was cancelled before; `cancelledAt` if an end is known',
  },
  active: { means: 'running', dates: '`startAt` has come; after a pause `reactivatedAt` is the day it resumed' },
  'scheduled-pause': { means: 'running, a pause is known', dates: '`pausedAt` is after today' },
  paused: { means: 'no ticket now', dates: '`pausedAt` has come; `cancelledAt` if an end is known' },
  'scheduled-cancellation': {
    means: 'running, the end is known (wins over a planned pause)',
    dates: '`cancelledAt` is after today',
  },
  cancelled: { means: 'ended', dates: '`cancelledAt` has come; `startAt` is null if it never started' },
};

const causeMeanings: Record<Cause, string> = {
  termination: 'the roster tells the last day of employment (`terminationDate`)',
  offboard: 'the employee is absent from the roster',
  'contract-rejected': 'the contract is rejected',
  'opt-out': 'the roster says `autoSyncEmployee: false`',
  cancel: 'a person cancels',
  subscribe: 'the roster says `autoSyncEmployee: true`, or a person subscribes',
  start: 'the first day of employment moves, or the absences before the start change',
  absence: 'an approved absence becomes known or changes',
  'absence-withdrawn': 'an absence is withdrawn, shortened or no longer approved',
  pause: 'a person pauses until further notice',
  resume: 'a person resumes',
  'termination-withdrawn': 'the last day of employment is withdrawn',
  return: 'the employee is back in the roster',
  'contract-accepted': 'the contract is accepted',
  'not-subscribed': 'a roster tells of an employee, and the rules leave them without a subscription',
  calendar: 'a planned day comes',
};

const plans: Record<PlanType, { bears: string; example: Plan }> = {
  'fully-subsidized-plan': {
    bears: 'the company bears all',
    example: { planType: 'fully-subsidized-plan', contributionCents: null },
  },
  'deferred-plan': {
    bears: 'the employee bears all: the company advances it and recovers it through payroll',
    example: { planType: 'deferred-plan', contributionCents: null },
  },
  'split-pay-plan': {
    bears: 'the employee bears the contribution, at most the price; the company bears the rest',
    example: { planType: 'split-pay-plan', contributionCents: 2000 },
  },
};

const charges: Record<ChargeType, string> = {
  'service-charge': 'per ticket, one item a company and month',
  'ticket-charge': 'one item a ticket',
  'hr-integration-charge': 'per linked employee, one item an integration and month',
  'hr-payroll-integration-charge': 'one item a company and month',
  'api-charge': 'one item a company and month',
};

const documents: Record<DocumentKind, string> = {
  'subscription-confirmation':
    'the first ticket becomes known to come, or to come on another day: no signature is missing, and no absence without an end covers the start',
  'contribution-agreement': 'the contract is accepted',
  'ticket-confirmation': 'a ticket is issued',
  'cancellation-confirmation':
    'the end of a subscription that runs, is paused or is about to start on a known day becomes known or moves; not when it arrives, nor when it was known before the start',
};

/** The names of dates in the API. It names dates by what happens on them, and does not show when a pause will end. */
const apiNames: Record<keyof SubscriptionDates, string> = {
  startOn: '`startAt`',
  pausedOn: '`pausedAt`',
  resumesOn: 'the resumption',
  cancelledOn: '`cancelledAt`',
  reactivatedOn: '`reactivatedAt`',
};

const inApiWords = (text: string) =>
  Object.entries(apiNames).reduce((told, [field, name]) => told.replaceAll(field, name), text);

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
    .map(({ from, to, changes }) => [code([cause]), code(from), code(to), inApiWords(changes)]),
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
  return `<!-- Made from src/domain by \`npm run generate\`: change the rules there. -->

# The life cycle of a subscription

For whoever looks after employees and asks why a date is what it is, and for whoever connects an HR system. All days are days
of the company's time zone. Tickets are whole calendar months. Every change is recorded with its cause, the rule that decided
and a sentence that explains it.

## Statuses

The status follows from the dates and today.

${table(
  ['status', 'means', 'dates'],
  subscriptionStatuses.map((status) => [code([status]), statuses[status].means, statuses[status].dates]),
)}

${diagram()}

## Cut-off

A pause or an end of a running subscription takes effect on the first of the next month when it becomes known up to the cut-off
day, else on the first of the month after. With the cut-off on the 10th, which is the default:

${table(['known on', 'takes effect at the earliest'], cutOffRows)}

Starts and resumptions need no cut-off: the first of the next month at the earliest. An end of a subscription that waits or is
paused needs none either: it takes effect at once, unless tickets come before it or it was planned before the pause. What is planned
stays planned when a later cut-off passes, and is taken back when its cause goes.

## Causes

${table(
  ['cause', 'what happened', ''],
  causes.map((cause) => [
    code([cause]),
    causeMeanings[cause],
    [
      ...(endCauses.some((end) => end === cause) ? ['a reason to end'] : []),
      ...(decisions.some((decision) => decision === cause) ? ['may be decided by a person'] : []),
    ].join('; '),
  ]),
)}

The plans that need a contract are ${code(planTypes.filter(needsContract))}. Of several reasons to end the earliest date holds.
A roster repeats \`autoSyncEmployee: true\` every night: repeated, it undoes nothing that a person decided. Said anew, it takes back a
cancellation that has not come, and subscribes again whoever has ended. \`null\` leaves the subscription alone, and so a planned end.

## Every change

No other change of status exists. Where the status stays the same, a date moves. The resumption is the day on which a pause will
end; the API does not show it before it has come.

${table(['cause', 'from', 'to', 'what becomes of the dates'], transitionRows)}

## Rules

The rule that decided stands with every change, such as in the records of a sync.

${table(
  ['rule', 'applies when'],
  Object.entries(describe).map(([id, sentence]) => [code([id]), sentence]),
)}

## Tickets

On the first of a month every subscription that is then ${code(running)} gets one ticket for
that month, also when the run comes late or twice. What becomes known later in the month changes only later months.
\`nextTicketAt\` is the next first on which, by what is known, a ticket will be issued. It is null when none will, while the
contract is pending, and while an absence without an end covers the start.

## What is billed

Each period is billed on its first day, right after its tickets are issued. Prices hold from a date on; a ticket costs what holds
on the first of its month, for the plan that the subscription then has. Charges are never changed:
a correction is a new item in the period of the day on which it is made, and names the item that it corrects and the reason.

${table(
  ['charge', ''],
  chargeTypes.map((type) => [code([type]), charges[type]]),
)}

Tickets are priced gross, fees net. Tax is rounded half up to the cent, once an item; net and tax are the gross amount. A fee
of 0 makes no item. A ticket costs less when the company bears enough of its list price. With a list price of
${euros(listCents)}, ${taxPercent} % tax, ${discountPercent} % off when the company bears ${discountSharePercent} % or more, and a contribution of ${contribution}:

${table(['plan', 'who bears it', 'net', 'tax', 'gross', 'company', 'employee'], planRows)}

## Documents

${table(
  ['document', 'written when'],
  documentKinds.map((kind) => [code([kind]), documents[kind]]),
)}
`;
}
