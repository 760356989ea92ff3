import { type Day, isBefore, isSameDay } from '../domain/calendar.ts';
import type { Calendar } from './calendar.ts';
import { connectedOn, type Place } from './connections.ts';
import { appearsOn, byAppearance, type DemoEmployee } from './employees.ts';
import { drawName } from './names.ts';
import { offerOn } from './plans.ts';
import type { Random } from './random.ts';
import * as end from './scenarios/end.ts';
import * as leave from './scenarios/leave.ts';
import { type CreateScenario, hrNews, mergeScenarios, type ScenarioContext } from './scenarios/scenario.ts';
import * as start from './scenarios/start.ts';

interface Role {
  people: number;
  fate: CreateScenario;
  /** Default: the main system. */
  places?: Place[];
  hasCustomId?: boolean;
}

const atPlace =
  (place: Place): CreateScenario =>
  (teller) =>
    start.foundOn(teller, connectedOn(teller.calendar, place));

/** Most employees without further events subscribed while the company paid the full price. */
const founder: CreateScenario = (teller, nth) => start.founder(teller, ([0, 1, 2, 2, 1, 2] as const)[nth % 6] ?? 0);

/** Every possible event happens to some employees. Most employees have none. */
const roles: Role[] = [
  { people: 30, fate: founder },
  { people: 26, fate: start.hired },
  { people: 4, fate: start.foundInOldSystem, places: ['main', 'old'] },
  { people: 12, fate: founder, places: ['main', 'branch'] },
  { people: 12, fate: atPlace('branch'), places: ['branch'] },
  { people: 6, fate: atPlace('south'), places: ['south'] },
  { people: 6, fate: founder, hasCustomId: true },
  { people: 5, fate: start.entered, places: [], hasCustomId: true },
  { people: 5, fate: start.entered, places: [] },
  { people: 7, fate: start.comesSoon },
  { people: 4, fate: start.waits },
  { people: 6, fate: start.rejects },
  { people: 14, fate: start.abstains },
  { people: 8, fate: leave.cameBack },
  { people: 11, fate: leave.isAway },
  { people: 8, fate: leave.goesOnLeave },
  { people: 2, fate: leave.staysAfterAll },
  { people: 8, fate: leave.isAwayShortly },
  { people: 6, fate: leave.pauses },
  { people: 8, fate: end.leavesSoon },
  { people: 8, fate: end.hasLeft },
  { people: 9, fate: end.optsOut },
  { people: 6, fate: end.startsAgain },
  { people: 4, fate: end.cancels },
  { people: 6, fate: end.disappears },
  { people: 2, fate: end.isForgotten },
  { people: 2, fate: end.isLeaving },
  { people: 2, fate: end.returns },
];

type Draft = Omit<DemoEmployee, 'hrIds' | 'customId'> & { places: Place[]; hasCustomId: boolean };

function draw(
  teller: ScenarioContext,
  taken: Set<string>,
  { fate, places = ['main'], hasCustomId = false }: Role,
  nth: number,
) {
  const { random, calendar } = teller;
  const story = fate(teller, nth);
  const startsWork = story.news[0]?.says.startsWork ?? calendar.joined;
  const dateOfBirth = random.chance(0.12) ? null : startsWork.subtract({ days: random.int(6_700, 17_000) });
  return { ...drawName(random, taken), dateOfBirth, story, places, hasCustomId } satisfies Draft;
}

/** The first employee number in each system. */
const numbering: Record<Place | 'custom', { prefix: string; first: number }> = {
  main: { prefix: 'E-', first: 1001 },
  branch: { prefix: 'KI', first: 20310 },
  south: { prefix: 'S-', first: 5001 },
  old: { prefix: 'A', first: 77001 },
  custom: { prefix: 'P-', first: 1041 },
};

/** Numbers the employees in order of appearance. */
function number(drafts: Draft[]): DemoEmployee[] {
  const next = new Map<Place | 'custom', number>();
  const numberIn = (place: Place | 'custom') => {
    const { prefix, first } = numbering[place];
    const count = next.get(place) ?? first;
    next.set(place, count + 1);
    return `${prefix}${count}`;
  };
  return drafts.map(({ places, hasCustomId, ...person }) => ({
    ...person,
    hrIds: new Map(places.map((place) => [place, numberIn(place)])),
    customId: hasCustomId ? numberIn('custom') : null,
  }));
}

/**
 * Adds two events: one employee marries, and another is listed for a week with the address of an employee that only the
 * branch lists.
 */
function addChances(
  random: Random,
  { day, month, firstPush }: Calendar,
  people: DemoEmployee[],
  taken: Set<string>,
): void {
  const isSettled = ({ story }: DemoEmployee) =>
    [...story.news, ...story.decisions].every(({ on }) => isBefore(on, month(-3)));
  const isPlain = (person: DemoEmployee) =>
    person.hrIds.has('main') && person.story.news.length === 2 && isSameDay(appearsOn(person), firstPush);
  const [bride, mistaken] = people.filter((person) => isPlain(person) && isSettled(person));
  const holder = people.find(({ hrIds }) => hrIds.has('branch') && !hrIds.has('main'));
  if (!bride || !mistaken || !holder) throw new Error('The demo lacks somebody for its script.');
  const { lastName, email } = drawName(random, taken, bride.firstName);
  bride.story = mergeScenarios(bride.story, hrNews(day(-6, 23), { lastName, email }));
  const isGiven = (on: Day, email: string) => hrNews(on, { email });
  mistaken.story = mergeScenarios(
    mistaken.story,
    isGiven(day(-2, 16), holder.email),
    isGiven(day(-2, 23), mistaken.email),
  );
}

/** Returns everyone employed by the company during the year, in order of appearance. */
export function createPopulation(random: Random, calendar: Calendar): DemoEmployee[] {
  const taken = new Set<string>();
  const teller = { random, calendar, planOn: (day: Day) => offerOn(calendar, day).planType };
  const drafts = roles.flatMap((role) =>
    Array.from({ length: role.people }, (_, nth) => draw(teller, taken, role, nth)),
  );
  const people = number(random.shuffle(drafts).sort(byAppearance));
  addChances(random, calendar, people, taken);
  return people;
}
