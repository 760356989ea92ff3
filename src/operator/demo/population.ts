import { toAscii } from '../../domain/ascii.ts';
import { compareDays, type Day, isBefore, isSameDay } from '../../domain/calendar.ts';
import type { RosterEntry } from '../../features/roster/rules/entry.ts';
import { type Calendar, offerOn } from './calendar.ts';
import { connectedOn, type Group, type Place } from './context.ts';
import type { Random } from './random.ts';
import * as end from './scenarios/end.ts';
import * as leave from './scenarios/leave.ts';
import {
  type CreateScenario,
  hrNews,
  mergeScenarios,
  type Scenario,
  type ScenarioContext,
  type Snapshot,
} from './scenarios/scenario.ts';
import * as start from './scenarios/start.ts';

interface NameGroup {
  weight: number;
  first: readonly string[];
  last: readonly string[];
}

const words = (text: string) => text.trim().split(/\s+/);

/** First and last names that go together, and the percentage of employees with such a name. */
const nameGroups: readonly NameGroup[] = [
  {
    weight: 62,
    first: words(`Anna Ben Björn Carla Christian Clara Daniel Dörte Elias Emma Felix Finn Frieda Greta Günter Hanna
      Heike Jakob Jan Jonas Jörg Jürgen Käthe Karl Katharina Lena Leon Lukas Luise Mara Marie Max Mia Moritz Nele
      Niklas Nora Oskar Paul Paula Petra René Ronja Sabine Sönke Sophie Stefan Theo Thomas Tim Tobias Ulrike Ute Zoë`),
    last: words(`Albrecht Bäcker Bauer Becker Böhm Brandt Dietrich Engel Fischer Franke Fröhlich Fuchs Förster Graf
      Groß Günther Hahn Hartmann Heinrich Hofmann Huber Jäger Jung Kaiser Keller Köhler König Krämer Krause Krüger
      Kühn Lange Lehmann Lorenz Löwe Maier Meißner Möller Müller Neumann Peters Pfäffle Richter Roth Sauer Schäfer
      Schmidt Schneider Schröder Schulz Seidel Sommer Stöcker Strauß Thiel Vogel Voß Wagner Weber Weiß Winkler Wolf
      Zimmermann`),
  },
  {
    weight: 12,
    first: words('Ayşe Burak Can Çağla Deniz Elif Emre Gülay İlker Kübra Mehmet Özlem Selin Şule Yiğit Zeynep'),
    last: words('Aydın Çelik Demir Doğan Erdoğmuş Kaya Kılıç Öztürk Şahin Toprak Yıldız Yılmaz'),
  },
  {
    weight: 9,
    first: words('Agnieszka Bartłomiej Grażyna Jakub Łukasz Małgorzata Michał Paweł Stanisław Zuzanna'),
    last: words('Dudek Głowacz Kowalczyk Nowak Pawłowicz Szczepaniak Wójcik Woźniak Wróbel Zając Żuraw'),
  },
  {
    weight: 6,
    first: words('Åsa Astrid Bjørn Freja Håkon Jørgen Linnéa Mikkel Sigrún Søren'),
    last: words('Ågren Bergström Hansen Jørgensen Lindqvist Møller Nygård Ødegård Sørensen'),
  },
  {
    weight: 6,
    first: words('Aurélie Benoît Chloé Élodie François Gaëlle Jérôme Noël'),
    last: words('Besançon Dubois Lefèvre Léger Moreau Crèvecœur Noël'),
  },
  {
    weight: 5,
    first: words('Andrés Begoña Inês Íñigo João Lucía Núria Raúl'),
    last: words('Conceição Fernández Gómez Ibáñez Muñoz Núñez Peña Simões'),
  },
];

/** Writes a name as company mail systems do: `jürgen.groß` is `juergen.gross`. */
const mailName = (name: string) =>
  toAscii(name)
    .toLowerCase()
    .replace(/[^a-z]/g, '');

const weightedGroups = nameGroups.flatMap((group) => Array.from({ length: group.weight }, () => group));

/** Draws a name with a mailbox that is not in `taken`. `givenName`: of an employee who marries. */
function drawName(random: Random, taken: Set<string>, givenName?: string) {
  for (;;) {
    const group = random.pick(weightedGroups);
    const [firstName, lastName] = [givenName ?? random.pick(group.first), random.pick(group.last)];
    const mailbox = `${mailName(firstName)}.${mailName(lastName)}`;
    if (taken.has(mailbox)) continue;
    taken.add(mailbox);
    const email = `${mailbox}@musterwerk.example`;
    const profileImage = random.chance(0.3) ? `https://images.musterwerk.example/${mailbox}.jpg` : null;
    return { firstName, lastName, email, profileImage };
  }
}

export interface DemoEmployee {
  firstName: string;
  lastName: string;
  email: string;
  dateOfBirth: Day | null;
  profileImage: string | null;
  scenario: Scenario;
  /** The systems that list the employee, each with its own id. */
  hrIds: Map<Place, string>;
  /** The id that was entered manually. */
  customId: string | null;
  /** The number in payroll, the same in every system. */
  personnelNumber: string;
  group: Group | null;
}

export const appearsOn = ({ scenario }: Pick<DemoEmployee, 'scenario'>): Day =>
  (scenario.news[0] as Scenario['news'][number]).on;

const byAppearance = (a: Pick<DemoEmployee, 'scenario'>, b: Pick<DemoEmployee, 'scenario'>) =>
  compareDays(appearsOn(a), appearsOn(b));

export function snapshotOn({ lastName, email, scenario }: DemoEmployee, day: Day): Snapshot {
  const nothing: Snapshot = {
    isListed: false,
    lastName,
    email,
    startsWork: null,
    lastDay: null,
    autoSubscribe: null,
    absences: [],
  };
  const known = scenario.news.filter(({ on }) => !isBefore(day, on));
  return Object.assign(nothing, ...known.map(({ changes }) => changes));
}

export function rosterOn(employees: readonly DemoEmployee[], place: Place, day: Day): RosterEntry[] {
  return employees.flatMap((employee) => {
    const hrId = employee.hrIds.get(place);
    const snapshot = snapshotOn(employee, day);
    if (hrId === undefined || !snapshot.isListed) return [];
    return [
      {
        hrId,
        firstName: employee.firstName,
        lastName: snapshot.lastName,
        email: snapshot.email,
        personnelNumber: employee.personnelNumber,
        group: employee.group,
        profileImage: employee.profileImage,
        dateOfBirth: employee.dateOfBirth?.toString() ?? null,
        startDate: snapshot.startsWork?.toString() ?? null,
        terminationDate: snapshot.lastDay?.toString() ?? null,
        autoSyncEmployee: snapshot.autoSubscribe,
        absences: snapshot.absences,
      },
    ];
  });
}

interface Role {
  count: number;
  createScenario: CreateScenario;
  /** Default: the main system. */
  places?: Place[];
  hasCustomId?: boolean;
  /** Which of them are trainees. */
  isTrainee?: (nth: number) => boolean;
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
  { count: 26, createScenario: start.hired, isTrainee: (nth) => nth % 4 === 1 },
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

interface Draft extends Omit<DemoEmployee, 'hrIds' | 'customId' | 'personnelNumber' | 'group'> {
  places: Place[];
  hasCustomId: boolean;
  isTrainee: boolean;
}

/** The ages at the first day of work, in days. */
const ages = { trainee: [6_000, 7_600], others: [6_700, 17_000] } as const;

function draw(
  context: ScenarioContext,
  taken: Set<string>,
  { createScenario, places = ['main'], hasCustomId = false, ...role }: Role,
  nth: number,
) {
  const { random, calendar } = context;
  const scenario = createScenario(context, nth);
  const startsWork = scenario.news[0]?.changes.startsWork ?? calendar.joined;
  const isTrainee = role.isTrainee?.(nth) ?? false;
  const [youngest, oldest] = ages[isTrainee ? 'trainee' : 'others'];
  const dateOfBirth = random.chance(0.12) ? null : startsWork.subtract({ days: random.int(youngest, oldest) });
  return { ...drawName(random, taken), dateOfBirth, scenario, places, hasCustomId, isTrainee } satisfies Draft;
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

function groupOf({ isTrainee, places }: Draft): Group | null {
  if (isTrainee) return 'Auszubildende';
  if (places.includes('branch')) return 'Niederlassung Kiel';
  return places.includes('south') ? 'Werk Süd' : null;
}

function number(drafts: Draft[]): DemoEmployee[] {
  const next = new Map<Place | 'custom', number>();
  const numberIn = (place: Place | 'custom') => {
    const count = next.get(place) ?? firstNumbers[place];
    next.set(place, count + 1);
    return String(count);
  };
  return drafts.map((draft) => {
    const { places, hasCustomId, isTrainee: _, ...employee } = draft;
    const hrIds = new Map(places.map((place) => [place, numberIn(place)]));
    const listedBy = payrollPlaces.find((place) => hrIds.has(place));
    return {
      ...employee,
      hrIds,
      customId: hasCustomId ? numberIn('custom') : null,
      personnelNumber: (listedBy && hrIds.get(listedBy)) as string,
      group: groupOf(draft),
    };
  });
}

/** One employee marries. Another is listed for a week with an address that only the branch lists. */
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
