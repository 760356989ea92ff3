import { sql } from 'kysely';
import { operator } from '../../domain/actor.ts';
import { compareDays, type Day, isBefore } from '../../domain/calendar.ts';
import type { Decision } from '../../domain/subscription/transitions.ts';
import { updateSettings } from '../../features/companies/change-settings.ts';
import { correctCharges } from '../../features/corrections/correct.ts';
import { insertCustomLink } from '../../features/employees/custom-link.ts';
import { applyDecision } from '../../features/subscriptions/apply-decision.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { type Calendar, offersOf } from './calendar.ts';
import { type Action, type DemoContext, demoUserId, demoUserName, findEmployeeId } from './context.ts';
import { policyActions } from './policies.ts';
import { appearsOn, type DemoEmployee, snapshotOn } from './population.ts';
import type { Random } from './random.ts';

const changesOfPlan = (calendar: Calendar): Action[] =>
  offersOf(calendar)
    .slice(1)
    .map(({ since, planType, contributionCents }) => ({
      on: since,
      time: '08:00',
      run: ({ tx, companyId, deps }) =>
        updateSettings(tx, companyId, { planType, contributionCents }, { at: deps.clock.now() }),
    }));

/** Finds an employee by their email address of the day before: rosters arrive in the evening. */
const findEmployee = (context: DemoContext, employee: DemoEmployee, on: Day) =>
  findEmployeeId(context, snapshotOn(employee, on.subtract({ days: 1 })).email);

/** Applies a decision. A decision that is no longer possible is refused without effect, as in production. */
async function carryOut(context: DemoContext, employee: DemoEmployee, on: Day, decision: Decision): Promise<void> {
  const id = await findEmployee(context, employee, on);
  if (id === undefined) return;
  const actor = { type: 'user', name: demoUserId } as const;
  const consent = decision === 'contract-accepted' ? ({ given: 'on-paper', on } as const) : undefined;
  const recorded = { decision, actor, consent, recordedBy: demoUserName };
  await applyDecision(context.tx, context.deps, context.companyId, { employeeId: id, ...recorded });
}

async function link(context: DemoContext, employee: DemoEmployee, on: Day, customId: string): Promise<void> {
  const id = await findEmployee(context, employee, on);
  if (id === undefined) return;
  await insertCustomLink(
    context.tx,
    context.companyId,
    { employeeId: id, hrId: customId },
    { at: context.deps.clock.now() },
  );
}

function actionsOf(random: Random, employee: DemoEmployee): Action[] {
  const day = appearsOn(employee);
  const office = () => `${random.int(10, 16)}:${random.int(10, 59)}`;
  const decisions = employee.scenario.decisions.map(
    ({ on, decision }): Action => ({ on, time: office(), run: (context) => carryOut(context, employee, on, decision) }),
  );
  const { customId } = employee;
  const linkedOn = day.add({ days: 1 });
  const given: Action[] =
    customId === null
      ? []
      : [{ on: linkedOn, time: '09:30', run: (context) => link(context, employee, linkedOn, customId) }];
  return [...given, ...decisions];
}

const correction = ({ day, month }: Calendar): Action => ({
  on: day(-1, 6),
  time: '11:20',
  async run({ tx, companyId, deps }) {
    const { rows } = await sql<{ id: number }>`
      select b.id from billing_items b where ${ofCompany(companyId, 'b')} and b.period = ${month(-2).toString()}::date
        and b.charge_type = 'ticket-charge' order by b.id limit 1`.execute(tx);
    const [item] = rows;
    if (item === undefined) return;
    const correction = { companyId, selection: { items: [item.id] }, reason: 'refunded', actor: operator };
    await correctCharges(tx, deps, correction);
  },
});

/** Returns all actions of the year except rosters and connections. No action happens after yesterday. */
export const createActions = (random: Random, calendar: Calendar, employees: readonly DemoEmployee[]): Action[] => [
  ...changesOfPlan(calendar),
  ...employees.flatMap((employee) => actionsOf(random, employee)),
  correction(calendar),
  ...policyActions(calendar),
];

export const inOrder = (actions: readonly Action[], { yesterday }: Calendar): Action[] =>
  actions
    .filter(({ on }) => !isBefore(yesterday, on))
    .sort((a, b) => compareDays(a.on, b.on) || a.time.localeCompare(b.time));
