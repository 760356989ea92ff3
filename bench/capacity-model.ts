/** What the service does for employees, in the order in which a new company causes it. */
export const units = [
  'new roster entry',
  'unchanged roster entry',
  'ticket',
  'charge',
  'day of a company',
  'document',
  'mail',
  'request',
] as const;
export type Unit = (typeof units)[number];

export const places = ['API', 'worker', 'database'] as const;
export type Place = (typeof places)[number];

/** Processor time of one unit in milliseconds. */
export type Cost = Record<Place, number>;
export type Costs = Record<Unit, Cost>;

/** The assumptions, which docs/operate/scale-out.md states. */
const employeesPerCompany = 150;
const ticketsPerEmployee = 0.6;
/** Of a company with 150 employees, 500 a day. */
const requestsPerDay = 500 / employeesPerCompany;
const [hour, month] = [3_600_000, 30];

/** How many units an employee causes in a month of 30 days. One in fifty employees is new. */
const unitsPerMonth: Record<Unit, number> = {
  'new roster entry': 0.02,
  'unchanged roster entry': month,
  ticket: ticketsPerEmployee,
  charge: ticketsPerEmployee,
  'day of a company': month / employeesPerCompany,
  document: ticketsPerEmployee,
  mail: ticketsPerEmployee,
  request: month * requestsPerDay,
};

/** What must be done at the same time, how often per employee, and within how many milliseconds. */
const rushes: { units: Partial<Record<Unit, number>>; within: number }[] = [
  // A fifth of the requests of a day.
  { units: { request: requestsPerDay / 5 }, within: hour },
  { units: { 'unchanged roster entry': 1 }, within: 2 * hour },
  {
    units: { ticket: ticketsPerEmployee, charge: ticketsPerEmployee, 'day of a company': 1 / employeesPerCompany },
    within: hour,
  },
  { units: { document: ticketsPerEmployee, mail: ticketsPerEmployee }, within: 6 * hour },
];

const costOf = (costs: Costs, counts: Partial<Record<Unit, number>>, place: Place) =>
  units.reduce((total, unit) => total + (counts[unit] ?? 0) * costs[unit][place], 0);

/** Returns the processor time of one employee in a month, in milliseconds. */
export const costPerMonth = (costs: Costs, place: Place): number => costOf(costs, unitsPerMonth, place);

/** Returns how many cores are needed in the busiest of the rushes, half of which stay free. */
export const coresFor = (costs: Costs, place: Place, employees: number): number =>
  Math.max(...rushes.map((rush) => (2 * employees * costOf(costs, rush.units, place)) / rush.within));

/** Returns how many mails a minute must be sent on the first of a month. */
export const mailsPerMinute = (employees: number): number => (employees * ticketsPerEmployee) / (6 * 60);
