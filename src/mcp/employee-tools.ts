import { Type } from 'typebox';
import { planTypes, subscriptionStatuses } from '../domain/enums.ts';
import { upcomingTypes } from '../domain/subscription/public-dates.ts';
import type { Employee, SubscriptionHistoryEntry } from '../features/employees/contract.ts';
import { Enum, Nullable, NullableObject } from '../platform/http/schemas.ts';
import { requireData } from './call-api.ts';
import { defineTool, withQuery } from './tool.ts';

const mostFound = 50;
const mostExplained = 100;
const Day = Nullable(Type.String());

export const EmployeeSummary = Type.Object({
  id: Type.Integer(),
  firstName: Type.String(),
  lastName: Type.String(),
  email: Type.String(),
  hrIds: Type.Array(Type.String()),
  status: Enum(subscriptionStatuses),
  startAt: Day,
  pausedAt: Day,
  cancelledAt: Day,
  reactivatedAt: Day,
  upcoming: NullableObject(
    Type.Object({ type: Enum(upcomingTypes), at: Type.String() }),
    'What changes next. The other dates are in the past.',
  ),
  nextTicketAt: Day,
  plan: Enum(planTypes),
  contract: Nullable(Type.String()),
});

export function summarize({ id, firstName, lastName, email, subscription, plan, hrIntergartionLinks }: Employee) {
  const { status, startAt, pausedAt, cancelledAt, reactivatedAt, upcoming, nextTicketAt } = subscription;
  return {
    ...{ id, firstName, lastName, email, hrIds: hrIntergartionLinks.map(({ hrId }) => hrId) },
    ...{ status, startAt, pausedAt, cancelledAt, reactivatedAt, upcoming, nextTicketAt },
    ...{ plan: plan.type, contract: plan.contractSigningStatus },
  };
}

/** Where the summary of an employee has text that people or other systems have written. */
export const employeeFreeText = (path: string) =>
  ['firstName', 'lastName', 'email', 'hrIds/*'].map((name) => `${path}/${name}`);

export const findEmployees = defineTool({
  name: 'find_employees',
  title: 'Find employees',
  description:
    'Finds employees by words in their name or email address, by HR id, status or plan. Returns their ids and the state of their subscriptions. Without any filter, returns the first employees and the total.',
  permissions: ['view-employees'],
  input: Type.Object({
    search: Type.Optional(Type.String({ maxLength: 500, description: 'Words in the name or email address.' })),
    hrIds: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), { maxItems: 50, description: 'Ids in the HR system.' }),
    ),
    statuses: Type.Optional(Type.Array(Enum(subscriptionStatuses), { maxItems: subscriptionStatuses.length })),
    plans: Type.Optional(Type.Array(Enum(planTypes), { maxItems: planTypes.length })),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Pages have 50 employees.' })),
  }),
  output: Type.Object({
    total: Type.Integer({ description: 'How many employees match on all pages.' }),
    page: Type.Integer(),
    totalPages: Type.Integer(),
    employees: Type.Array(EmployeeSummary),
  }),
  freeText: employeeFreeText('/employees/*'),
  async run({ search, hrIds, statuses, plans, page = 1 }, { call }) {
    const query = { search, hrIds, subscriptionStatuses: statuses, planTypes: plans, page, perPage: mostFound };
    const found = await requireData<{ data: Employee[]; total: number; totalPages: number }>(
      call(withQuery('/employees', query)),
    );
    return { total: found.total, page, totalPages: found.totalPages, employees: found.data.map(summarize) };
  },
});

export const explainSubscription = defineTool({
  name: 'explain_subscription',
  title: 'Explain a subscription',
  description:
    'Explains why the subscription of one employee has its present status: every change with its date, its cause and the rule that decided it, oldest first, at most the last 100. Takes the id from find_employees.',
  permissions: ['view-employees'],
  input: Type.Object({ employeeId: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }),
  output: Type.Object({
    employee: EmployeeSummary,
    changes: Type.Array(
      Type.Object({
        knownOn: Type.String(),
        effectiveOn: Type.String(),
        cause: Type.String(),
        rule: Type.String(),
        explanation: Type.String(),
        from: Type.String(),
        to: Type.String(),
      }),
    ),
  }),
  freeText: employeeFreeText('/employee'),
  async run({ employeeId }, { call }) {
    const employee = await requireData<Employee>(call(`/employees/${employeeId}`));
    // The newest ones, if there are more than a page has.
    const query = { perPage: mostExplained, sortOrder: 'desc' };
    const history = await requireData<{ data: SubscriptionHistoryEntry[] }>(
      call(withQuery(`/employees/${employeeId}/subscription-history`, query)),
    );
    const changes = history.data.toReversed().map(({ knownOn, effectiveOn, cause, rule, detail, from, to }) => ({
      ...{ knownOn, effectiveOn, cause, rule, explanation: detail, from, to },
    }));
    return { employee: summarize(employee), changes };
  },
});
