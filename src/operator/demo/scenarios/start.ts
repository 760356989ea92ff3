import type { Day } from '../../../domain/calendar.ts';
import { needsContract } from '../../../domain/subscription/subscription.ts';
import {
  type CreateScenario,
  decisionOn,
  hrNews,
  mergeScenarios,
  type Scenario,
  type ScenarioContext,
} from './scenario.ts';

/** Signs the contract within days. Some employees take a month. */
function signs(
  { random, planOn }: ScenarioContext,
  subscribedOn: Day,
  decision: 'contract-accepted' | 'contract-rejected',
) {
  const days = random.chance(0.06) ? random.int(25, 35) : random.int(1, 9);
  return needsContract(planOn(subscribedOn)) ? decisionOn(subscribedOn.add({ days }), decision) : mergeScenarios();
}

export const optIn = (context: ScenarioContext, on: Day): Scenario =>
  mergeScenarios(hrNews(on, { autoSubscribe: true }), signs(context, on, 'contract-accepted'));

const workedFor = ({ random, calendar }: ScenarioContext) =>
  random.chance(0.1) ? null : calendar.joined.subtract({ days: random.int(30, 6000) });

const isThere = (context: ScenarioContext, on: Day): Scenario =>
  hrNews(on, { isListed: true, startsWork: workedFor(context) });

/** Returns the days on which employees subscribe: at the start, and with each other plan that is offered. */
const waves = ({ random, calendar: { firstPush, day } }: ScenarioContext): [Day, Day, Day] => [
  firstPush,
  day(random.pick([-9, -9, -8]), 9),
  day(random.pick([-5, -5, -4]), 16),
];

/** Employed when the company joined, and subscribed in one of the waves. */
export function founder(context: ScenarioContext, wave: 0 | 1 | 2): Scenario {
  return mergeScenarios(isThere(context, context.calendar.firstPush), optIn(context, waves(context)[wave]));
}

/** Subscribed early enough to have had tickets before something happens. */
export const earlyFounder: CreateScenario = (context, nth) => founder(context, nth % 2 === 0 ? 0 : 1);

export const someFounder: CreateScenario = (context, nth) => founder(context, ([0, 1, 2] as const)[nth % 3] ?? 0);

/** Listed by the replaced system, which had sent its roster before the new one did. */
export const foundInOldSystem: CreateScenario = (context) => {
  const { joined, firstPush } = context.calendar;
  return mergeScenarios(isThere(context, joined.add({ days: 2 })), optIn(context, firstPush));
};

/** Listed in the first roster of the system of their site. */
export const foundOn = (context: ScenarioContext, on: Day): Scenario =>
  mergeScenarios(isThere(context, on), optIn(context, on));

/** Hired during the year, on the first or in the middle of a month. */
export const hired: CreateScenario = (context, nth) => {
  const { calendar } = context;
  const month = -10 + (nth % 10);
  const [known, startsWork] =
    nth % 3 === 0
      ? [calendar.day(month, 9), calendar.day(month, 15)]
      : [calendar.day(month - 1, 16), calendar.month(month)];
  return mergeScenarios(hrNews(known, { isListed: true, startsWork }), optIn(context, known));
};

/** Starts work next month or later. Every second one has not signed yet. */
export const comesSoon: CreateScenario = (context, nth) => {
  const { calendar } = context;
  const known = calendar.ago(13);
  const startsWork = calendar.month(1 + (nth % 3)).add({ days: nth % 2 === 0 ? 0 : 14 });
  const signed = nth % 2 === 0 ? signs(context, known, 'contract-accepted') : mergeScenarios();
  return mergeScenarios(hrNews(known, { isListed: true, startsWork, autoSubscribe: true }), signed);
};

/** Has not signed the contract: the start moves month by month. */
export const waits: CreateScenario = (context, nth) => {
  const { firstPush, ago, day } = context.calendar;
  return mergeScenarios(
    isThere(context, firstPush),
    hrNews(nth % 2 === 0 ? ago(6) : day(-2, 16), { autoSubscribe: true }),
  );
};

export const rejects: CreateScenario = (context, nth) => {
  const { firstPush, day } = context.calendar;
  const on = [day(-9, 9), day(-2, 16), day(-3, 16), firstPush][nth % 4] as Day;
  const decision = signs(context, on, 'contract-rejected');
  return mergeScenarios(isThere(context, firstPush), hrNews(on, { autoSubscribe: true }), decision);
};

/** Employed, but never subscribed. For half of them the HR system excludes a subscription. */
export const abstains: CreateScenario = (context, nth) => {
  const { firstPush } = context.calendar;
  return mergeScenarios(
    isThere(context, firstPush),
    hrNews(firstPush, { autoSubscribe: nth % 2 === 0 ? false : null }),
  );
};

/** Listed without a word about a subscription: in most cases, HR subscribes them in the portal. */
export const subscribedByHr: CreateScenario = (context, nth) => {
  const { calendar, random } = context;
  const on = calendar.day(-6 + (nth % 5), random.pick([2, 9, 16]));
  const isListed = hrNews(on, { isListed: true });
  if (nth % 5 === 4) return isListed;
  const subscribedOn = on.add({ days: random.int(1, 5) });
  return mergeScenarios(
    isListed,
    decisionOn(subscribedOn, 'subscribe'),
    signs(context, subscribedOn, 'contract-accepted'),
  );
};
