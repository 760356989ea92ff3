import { earliestEffect } from '../src/domain/calendar.ts';
import {
  type ChargeType,
  chargeTypes,
  type DocumentKind,
  documentKinds,
  endCauses,
  type PlanType,
  planTypes,
  requestActions,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../src/domain/enums.ts';
import { moneyFormat } from '../src/domain/money.ts';
import { describe } from '../src/domain/subscription/rules.ts';
import { isRunning, needsContract, type SubscriptionDates } from '../src/domain/subscription/subscription.ts';
import { type Cause, causes, transitions } from '../src/domain/subscription/transitions.ts';
import { chargeTicket, type TicketPrice } from '../src/features/billing/rules/charges.ts';

/**
 * Generates docs/subscription-life-cycle.md: the rules as they are in the code, to explain why a date is what it is.
 */

const statuses: Record<SubscriptionStatus, { means: string; upcoming: string }> = {
  'no-subscription': { means: 'never subscribed', upcoming: 'null' },
  scheduled: { means: 'starts later', upcoming: '`start`' },
  active: { means: 'running', upcoming: 'null' },
  'scheduled-pause': { means: 'running, with a planned pause', upcoming: '`pause`' },
  paused: { means: 'no ticket at present', upcoming: '`resumption`, `cancellation`, or null while neither is known' },
  'scheduled-cancellation': {
    means: 'running, with a known end, perhaps after a planned pause',
    upcoming: '`cancellation`, or a `pause` before it',
  },
  cancelled: { means: 'ended', upcoming: 'null' },
};

const causeMeanings: Record<Cause, string> = {
  termination: 'the roster has a last day of employment (`terminationDate`)',
  offboard: 'the employee is missing from the roster',
  'contract-rejected': 'the contract is rejected',
  'opt-out': '`autoSyncEmployee` is `false` in the roster',
  cancel: 'somebody cancels the subscription',
  subscribe: '`autoSyncEmployee` is `true` in the roster, or somebody subscribes the employee',
  start: 'the first day of employment or the absences before the start change',
  absence: 'an approved absence becomes known or changes',
  'absence-withdrawn': 'an absence is withdrawn, shortened or no longer approved',
  pause: 'somebody pauses the subscription',
  resume: 'somebody takes back their pause',
  undo: 'somebody undoes a request in time',
  'termination-withdrawn': 'the last day of employment is withdrawn',
  return: 'the employee is back in the roster',
  'contract-accepted': 'the contract is accepted',
  'plan-change': 'the company changes what the employee pays, or the employee decides about it',
  'not-subscribed': 'an employee of the roster gets no subscription by the rules',
  calendar: 'a planned date is reached',
};

const payers: Record<PlanType, string> = {
  'fully-subsidized-plan': 'the company',
  'deferred-plan': 'the employee, through payroll; the company advances the amount',
  'split-pay-plan': 'the employee the contribution, at most the price; the company the rest',
};

const charges: Record<ChargeType, string> = {
  'service-charge': 'per ticket, one item per company and month',
  'ticket-charge': 'one item per ticket',
  'hr-integration-charge':
    'per employee linked by an integration that pulls (`hr-integration`), one item per integration and month; each employee counts once, for the one that linked them first',
  'hr-payroll-integration-charge': 'one item per company, for the month before if a payroll export was made in it',
  'api-charge': 'one item per company, for the month before if the company called the API in it',
};

const documents: Record<DocumentKind, string> = {
  'subscription-confirmation':
    'the date of the first ticket becomes known or changes, after the contract if the plan needs one',
  'contribution-agreement': 'the contract is accepted',
  'ticket-confirmation': 'a ticket is issued',
  'yearly-statement': 'a year with tickets is over, and again after a correction',
  'cancellation-confirmation':
    'the end becomes known or changes; not on the end date itself, and not if the end was known before the start',
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

export const table = (head: string[], rows: (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const running = subscriptionStatuses.filter(isRunning);

/** How a language writes the parts of a transition. */
export interface TransitionWords {
  statuses(of: readonly SubscriptionStatus[]): string;
  running: string;
  causes(of: readonly Cause[]): string;
  changes(of: string): string;
}

/** Returns the change of status, or only the status if it stays the same. */
function describeStatuses({ from, to }: (typeof transitions)[number], words: TransitionWords): string {
  const [before = '', after = ''] = [from, to].map((statuses) =>
    running.every((status) => statuses.includes(status)) ? words.running : words.statuses(statuses),
  );
  return before === after ? before : `${before} → ${after}`;
}

export const isEnd = (cause: Cause) => endCauses.some((end) => end === cause);

/** Returns all transitions by cause, with one row for all statuses in which the same causes change the same dates. */
export function listTransitions(words: TransitionWords): string[][] {
  const byEffect = Map.groupBy(
    causes.flatMap((cause) => transitions.filter((row) => row.cause === cause)),
    (row) => `${describeStatuses(row, words)}: ${row.changes}`,
  );
  const effects = [...byEffect.values()].flatMap((rows) =>
    rows.slice(0, 1).map((row) => ({
      names: words.causes(rows.map(({ cause }) => cause)),
      status: describeStatuses(row, words),
      dates: words.changes(row.changes),
    })),
  );
  return [...Map.groupBy(effects, ({ names, dates }) => `${names}: ${dates}`).values()].flatMap((rows) =>
    rows.slice(0, 1).map(({ names, dates }) => [names, rows.map(({ status }) => status).join('; '), dates]),
  );
}

const transitionRows = listTransitions({ statuses: code, running: '*running*', causes: code, changes: inWords });

/** The days on which a change becomes known, and from when on it takes effect. */
export const cutOffs = ['2026-11-10', '2026-11-11'].map((knownOn) => {
  const day = Temporal.PlainDate.from(knownOn);
  return [day, earliestEffect(day, 10)] as const;
});

export const examplePrice: TicketPrice = {
  validFrom: Temporal.PlainDate.from('2026-01-01'),
  listCents: 6300,
  taxPercent: 7,
  discountPercent: 5,
  discountSharePercent: 25,
};

export const exampleContributionCents = 2000;

/** Returns the amounts of the example: net, tax, gross, the share of the company and that of the employee. */
export function listAmounts(planType: PlanType, euros: (cents: number) => string): string[] {
  const contributionCents = planType === 'split-pay-plan' ? exampleContributionCents : null;
  const charge = chargeTicket(examplePrice, { planType, contributionCents });
  const { netCents, taxCents, grossCents, companyShareCents, employeeShareCents } = charge;
  return [netCents, taxCents, grossCents, companyShareCents, employeeShareCents].map(euros);
}

const euros = moneyFormat('en-IE', 'EUR');

export function lifeCycleDocument(): string {
  const { listCents, taxPercent, discountPercent, discountSharePercent } = examplePrice;
  const cutOffRows = cutOffs.map((days) => days.map(String));
  const planRows = planTypes.map((type) => [code([type]), payers[type], ...listAmounts(type, euros)]);
  return `<!-- Generated from src/domain by \`npm run generate\`. Change the rules there. -->

# The life cycle of a subscription

How the dates of a subscription come about. All days are days in the company's time zone. Every change is recorded with its cause and rule.

## Statuses

The status follows from the dates and today. A date in the API is a day on which something has happened. What is still to come is in
\`upcoming\`: the nearest change, such as \`{ "type": "pause", "at": "2026-12-01" }\`, or null.

- \`startAt\`: the day on which the subscription started.
- \`pausedAt\`: the first day of the present or the last pause.
- \`cancelledAt\`: the day on which the subscription ended.
- \`reactivatedAt\`: the day on which tickets last resumed after a pause or an end.
- After an end, a new subscription has the \`startAt\` and \`cancelledAt\` of the ended one until its own start.

${table(
  ['status', 'meaning', 'upcoming'],
  subscriptionStatuses.map((status) => [code([status]), statuses[status].means, statuses[status].upcoming]),
)}

## Cut-off

A pause or an end of a running subscription that becomes known by the cut-off day takes effect on the first of the next month, later ones
a month later. With the default cut-off on the 10th:

${table(['known on', 'takes effect at the earliest'], cutOffRows)}

Starts and resumptions have no cut-off: the first of the next month at the earliest. The end of a scheduled or paused subscription takes
effect immediately, unless tickets are issued before it, it was planned before the pause, or a later month was asked for.

## Causes

${table(
  ['cause', 'what happened'],
  causes.map((cause) => [code([cause]), causeMeanings[cause]]),
)}

Reasons to end are ${code(causes.filter(isEnd))}; the earliest date applies. The employee and the company (users, keys and the
operator) can ask to ${code(requestActions)}; [who decides](who-decides.md) says whose word counts. The plans that need a contract are ${code(planTypes.filter(needsContract))}.

\`autoSyncEmployee: true\` in a roster starts what nobody has ended. It never takes back what the employee or the company asked for: neither an
end, nor a pause. \`null\` changes nothing.

## Every change

*Running* is ${code(running)}. If the status stays the same, a date changes. *Start*, *pause*,
*resumption* and *end* are planned dates; when one is reached, the API shows it as \`startAt\`, \`pausedAt\`, \`reactivatedAt\` or \`cancelledAt\`.

${table(['cause', 'status', 'dates'], transitionRows)}

## Rules

${table(
  ['rule', 'applies when'],
  Object.entries(describe).map(([id, sentence]) => [code([id]), sentence]),
)}

## Tickets

On the first of a month, every subscription that is ${code(running)} gets one ticket for
that month, even if the daily run is late or repeated. Later changes affect only later months. \`nextTicketAt\` is the first of a month on
which the next ticket is expected; null if none is, while the contract is pending, and while an absence or a pause without an end covers the start.

## What is billed

Each period is billed on its first day, right after its tickets are issued. A ticket costs the price that is valid on the first of its
month, for the plan of that day. Charges are never changed: a correction is a new item in the period in which it is made, and names the
corrected item and the reason.

${table(
  ['charge', 'what is charged'],
  chargeTypes.map((type) => [code([type]), charges[type]]),
)}

Ticket prices are gross, fees are net. Tax is rounded half up to the cent, once per item. A fee of 0 creates no item. Tickets are
discounted if the company pays a large enough share of the list price. Example with a list price of ${euros(listCents)}, ${taxPercent} % tax,
a discount of ${discountPercent} % if the company pays ${discountSharePercent} % or more, and a contribution of ${euros(exampleContributionCents)}:

${table(['plan', 'who pays', 'net', 'tax', 'gross', 'company', 'employee'], planRows)}

## Documents

${table(
  ['document', 'created when'],
  documentKinds.map((kind) => [code([kind]), documents[kind]]),
)}
`;
}
