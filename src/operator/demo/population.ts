import { type Day, isBefore, isSameDay } from '../../domain/calendar.ts';
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
  count: number;
  createScenario: CreateScenario;
  /** Default: the main system. */
  places?: Place[];
  hasCustomId?: boolean;
}

const atPlace =
  (place: Place): CreateScenario =>
  (context) =>
    start.foundOn(context, connectedOn(context.calendar, place));

/** Most employees without further events subscribed while the company paid the full price. */
const founder: CreateScenario = (context, nth) => start.founder(context, ([0, 1, 2, 2, 1, 2] as const)[nth % 6] ?? 0);

/** Every possible event happens to some employees. Most employees have none. */
const roles: Role[] = [
  { count: 30, createScenario: founder },
  { count: 26, createScenario: start.hired },
  { count: 4, createScenario: start.foundInOldSystem, places: ['main', 'old'] },
  { count: 12, createScenario: founder, places: ['main', 'branch'] },
  { count: 12, createScenario: atPlace('branch'), places: ['branch'] },
  { count: 6, createScenario: atPlace('south'), places: ['south'] },
  { count: 6, createScenario: founder, hasCustomId: true },
  { count: 10, createScenario: start.subscribedByHr },
  { count: 7, createScenario: start.comesSoon },
  { count: 4, createScenario: start.waits },
  { count: 6, createScenario: start.rejects },
  { count: 14, createScenario: start.abstains },
  { count: 8, createScenario: leave.cameBack },
  { count: 11, createScenario: leave.isAway },
  { count: 8, createScenario: leave.goesOnLeave },
  { count: 2, createScenario: leave.staysAfterAll },
  { count: 8, createScenario: leave.isAwayShortly },
  { count: 6, createScenario: leave.pauses },
  { count: 8, createScenario: end.leavesSoon },
  { count: 8, createScenario: end.hasLeft },
  { count: 9, createScenario: end.optsOut },
  { count: 6, createScenario: end.startsAgain },
  { count: 4, createScenario: end.cancels },
  { count: 6, createScenario: end.disappears },
  { count: 2, createScenario: end.isForgotten },
  { count: 2, createScenario: end.isLeaving },
  { count: 2, createScenario: end.returns },
];

type Draft = Omit<DemoEmployee, 'hrIds' | 'customId' | 'personnelNumber'> & { places: Place[]; hasCustomId: boolean };

function draw(
  context: ScenarioContext,
  taken: Set<string>,
  { createScenario, places = ['main'], hasCustomId = false }: Role,
  nth: number,
) {
  const { random, calendar } = context;
  const scenario = createScenario(context, nth);
  const startsWork = scenario.news[0]?.changes.startsWork ?? calendar.joined;
  const dateOfBirth = random.chance(0.12) ? null : startsWork.subtract({ days: random.int(6_700, 17_000) });
  return { ...drawName(random, taken), dateOfBirth, scenario, places, hasCustomId } satisfies Draft;
}

/** The first employee number in each system. No number is in two of them, and each is one that payroll can have. */
const firstNumbers: Record<Place | 'custom', number> = {
  main: 1001,
  branch: 20310,
  south: 5001,
  old: 77001,
  custom: 9041,
};

/** The systems by which payroll numbers an employee: the first one that lists them. */
const payrollPlaces: Place[] = ['main', 'branch', 'south'];

/** Numbers the employees in order of appearance. */
function number(drafts: Draft[]): DemoEmployee[] {
  const next = new Map<Place | 'custom', number>();
  const numberIn = (place: Place | 'custom') => {
    const count = next.get(place) ?? firstNumbers[place];
    next.set(place, count + 1);
    return String(count);
  };
  return drafts.map(({ places, hasCustomId, ...employee }) => {
    const hrIds = new Map(places.map((place) => [place, numberIn(place)]));
    const listedBy = payrollPlaces.find((place) => hrIds.has(place));
    return {
      ...employee,
      hrIds,
      customId: hasCustomId ? numberIn('custom') : null,
      personnelNumber: (listedBy && hrIds.get(listedBy)) as string,
    };
  });
}

/**
 * Adds two events: one employee marries, and another is listed for a week with the address of an employee that only the
 * branch lists.
 */
function addChances(
  random: Random,
  { day, month, firstPush }: Calendar,
  employees: DemoEmployee[],
  taken: Set<string>,
): void {
  const isSettled = ({ scenario }: DemoEmployee) =>
    [...scenario.news, ...scenario.decisions].every(({ on }) => isBefore(on, month(-3)));
  const isPlain = (employee: DemoEmployee) =>
    employee.hrIds.has('main') && employee.scenario.news.length === 2 && isSameDay(appearsOn(employee), firstPush);
  const [bride, mistaken] = employees.filter((employee) => isPlain(employee) && isSettled(employee));
  const holder = employees.find(({ hrIds }) => hrIds.has('branch') && !hrIds.has('main'));
  if (!bride || !mistaken || !holder) throw new Error('The demo lacks somebody for its script.');
  const { lastName, email } = drawName(random, taken, bride.firstName);
  bride.scenario = mergeScenarios(bride.scenario, hrNews(day(-6, 23), { lastName, email }));
  const isGiven = (on: Day, email: string) => hrNews(on, { email });
  mistaken.scenario = mergeScenarios(
    mistaken.scenario,
    isGiven(day(-2, 16), holder.email),
    isGiven(day(-2, 23), mistaken.email),
  );
}

/** Returns everyone employed by the company during the year, in order of appearance. */
export function createPopulation(random: Random, calendar: Calendar): DemoEmployee[] {
  const taken = new Set<string>();
  const context = { random, calendar, planOn: (day: Day) => offerOn(calendar, day).planType };
  const drafts = roles.flatMap((role) =>
    Array.from({ length: role.count }, (_, nth) => draw(context, taken, role, nth)),
  );
  const employees = number(random.shuffle(drafts).sort(byAppearance));
  addChances(random, calendar, employees, taken);
  return employees;
}
