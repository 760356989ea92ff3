import { sql } from 'kysely';
import { insertAudit } from '../audit.ts';
import { applyDecision } from '../daily-run/apply-decision.ts';
import { billingCorrection } from '../daily-run/correct-billing.ts';
import { ofCompany } from '../db/company-scope.ts';
import { compareDays, type Day, isBefore } from '../domain/calendar.ts';
import type { Decision } from '../domain/subscription/transitions.ts';
import { insertCustomLink } from '../employees/custom-link.ts';
import { insertEmployees } from '../employees/insert.ts';
import type { Calendar } from './calendar.ts';
import { type Action, type DemoContext, demoUserId, findEmployeeId } from './context.ts';
import { appearsOn, type DemoEmployee, snapshotOn } from './employees.ts';
import { offerOn, offersOf, updateCompany } from './plans.ts';
import type { Random } from './random.ts';

/** Returns the actions by which the company offers another plan from a day on. */
const changesOfPlan = (calendar: Calendar): Action[] =>
  offersOf(calendar)
    .slice(1)
    .map(({ since, planType, contributionCents }) => ({
      on: since,
      time: '08:00',
      run: ({ tx, companyId, deps }) => {
        const settings = { plan_type: planType, contribution_cents: contributionCents };
        return updateCompany(tx, companyId, settings, deps.clock.now());
      },
    }));

/** Adds an employee who is in no HR system, without a subscription. Later decisions change the subscription. */
async function enter(
  { tx, companyId, deps }: DemoContext,
  calendar: Calendar,
  person: DemoEmployee,
  on: Day,
): Promise<void> {
  const { planType, contributionCents } = offerOn(calendar, on);
  const now = deps.clock.now();
  const [id] = await insertEmployees(tx, companyId, [
    {
      first_name: person.firstName,
      last_name: person.lastName,
      email: person.email,
      date_of_birth: person.dateOfBirth?.toString() ?? null,
      profile_image: person.profileImage,
      plan_type: planType,
      contribution_cents: planType === 'split-pay-plan' ? contributionCents : null,
      created_at: now.toString(),
      updated_at: now.toString(),
    },
  ]);
  await insertAudit(tx, companyId, { action: 'employee.add', target: String(id), at: now });
}

/** Finds an employee by their email address of the day before: rosters arrive in the evening. */
const findEmployee = (world: DemoContext, person: DemoEmployee, on: Day) =>
  findEmployeeId(world, snapshotOn(person, on.subtract({ days: 1 })).email);

/** Applies a decision. A decision that is no longer possible is refused without effect, as in production. */
async function carryOut(world: DemoContext, person: DemoEmployee, on: Day, decision: Decision): Promise<void> {
  const id = await findEmployee(world, person, on);
  if (id === undefined) return;
  const actor = { type: 'user', name: demoUserId } as const;
  await applyDecision(world.tx, world.deps, world.companyId, { employeeId: id, decision, actor });
}

async function link(world: DemoContext, person: DemoEmployee, on: Day, customId: string): Promise<void> {
  const id = await findEmployee(world, person, on);
  if (id === undefined) return;
  await insertCustomLink(world.tx, world.companyId, id, { hrId: customId, now: world.deps.clock.now() });
}

function actionsOf(random: Random, calendar: Calendar, person: DemoEmployee): Action[] {
  const day = appearsOn(person);
  const office = () => `${random.int(10, 16)}:${random.int(10, 59)}`;
  const decisions = person.story.decisions.map(
    ({ on, decision }): Action => ({ on, time: office(), run: (world) => carryOut(world, person, on, decision) }),
  );
  const entry: Action = { on: day, time: '09:15', run: (world) => enter(world, calendar, person, day) };
  const { customId } = person;
  const linkedOn = day.add({ days: 1 });
  const given: Action[] =
    customId === null ? [] : [{ on: linkedOn, time: '09:30', run: (world) => link(world, person, linkedOn, customId) }];
  return [...(person.hrIds.size === 0 ? [entry] : []), ...given, ...decisions];
}

/** Refunds one ticket of two months ago. */
const correction = ({ day, month }: Calendar): Action => ({
  on: day(-1, 6),
  time: '11:20',
  async run({ tx, companyId, deps }) {
    const { rows } = await sql<{ id: number }>`
      select b.id from billing_items b where ${ofCompany(companyId, 'b')} and b.period = ${month(-2).toString()}::date
        and b.charge_type = 'ticket-charge' order by b.id limit 1`.execute(tx);
    const [item] = rows;
    if (item === undefined) return;
    const reason = 'The ticket could not be used and was refunded.';
    await billingCorrection(tx, deps, { itemId: item.id, companyId, reason });
  },
});

/** Returns all actions of the year except rosters and connections. No action happens after yesterday. */
export const createActions = (random: Random, calendar: Calendar, people: readonly DemoEmployee[]): Action[] => [
  ...changesOfPlan(calendar),
  ...people.flatMap((person) => actionsOf(random, calendar, person)),
  correction(calendar),
];

/** Returns the actions in chronological order, up to yesterday. */
export const inOrder = (acts: readonly Action[], { yesterday }: Calendar): Action[] =>
  acts
    .filter(({ on }) => !isBefore(yesterday, on))
    .sort((a, b) => compareDays(a.on, b.on) || a.time.localeCompare(b.time));
