import { type Static, Type } from 'typebox';
import { planChangeStates } from '../../domain/choices.ts';
import { noAnswerRules, planTypes, taxTreatments } from '../../domain/enums.ts';
import { pagingParameters, searchParameter } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  DataOf,
  Enum,
  MoneySchema,
  maxInteger,
  Nullable,
  NullableObject,
  PageOf,
  PlainDate,
  Reference,
  withoutNul,
} from '../../platform/http/schemas.ts';

const Month = (description: string) => Type.String({ format: 'first-of-month', description, examples: ['2027-01-01'] });
const Cents = (description: string) =>
  Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'In cents.' }), description);

const TermsSchema = Closed(
  {
    planType: Enum(planTypes),
    employeeCents: Cents('What the employee pays per ticket.'),
    employerCents: Cents('What the company pays per ticket.'),
    employerPercent: Nullable(Type.Integer({ minimum: 0, maximum: 100 }), 'What the company pays, of the price.'),
    minimumCents: Cents('What the company pays by percentage at least.'),
    maximumCents: Cents('What the company pays by percentage at most.'),
    waitingMonths: Type.Integer({
      minimum: 0,
      maximum: 24,
      description: 'Months after the first day of employment before the first ticket.',
    }),
    taxTreatment: Nullable(Enum(taxTreatments), 'Null: as in the settings of the company.'),
  },
  'Who pays what. Split pay has exactly one of the first two amounts and the percentage; the other plans have none.',
);

const VersionSchema = Closed({
  from: PlainDate('The first day on which it applies.'),
  terms: TermsSchema,
  companyAmount: Reference(MoneySchema),
  employeeAmount: Reference(MoneySchema),
});
export type PolicyVersionView = Static<typeof VersionSchema>;

const PolicySchema = Closed({
  id: Type.Integer(),
  name: Type.String(),
  isDefault: Type.Boolean(),
  groups: Type.Array(Type.String()),
  employees: Type.Integer({ description: 'Employees to whom it applies today.' }),
  subscribed: Type.Integer({ description: 'Those of them with a subscription.' }),
  current: NullableObject(VersionSchema, 'What applies this month. Null: it begins later.'),
  coming: NullableObject(VersionSchema, 'The next version. Null: none.'),
});
export type PolicyView = Static<typeof PolicySchema>;

const counts = Object.fromEntries(planChangeStates.map((state) => [state, Type.Integer()])) as Record<
  (typeof planChangeStates)[number],
  Type.TInteger
>;

const ChangeSchema = Closed({
  id: Type.Integer(),
  policy: Closed({ id: Type.Integer(), name: Type.String() }),
  from: PlainDate('The first day of the new plan.'),
  deadline: Nullable(PlainDate('The last day on which employees can agree.')),
  noAnswer: Enum(noAnswerRules),
  isSettled: Type.Boolean({ description: 'Whether the deadline is over, and its rule was applied.' }),
  isOver: Type.Boolean({ description: 'Whether its month has begun.' }),
  employees: Type.Integer(),
  mustAgree: Type.Integer({ description: 'Those of them whose share rises.' }),
  counts: Closed(counts),
});
export type ChangeView = Static<typeof ChangeSchema>;

export const PoliciesSchema = Closed({
  policies: Type.Array(PolicySchema, { description: 'In the order of the company, the default last.' }),
  changes: Type.Array(ChangeSchema, { description: 'Newest first.' }),
  comingPrice: NullableObject(
    Closed({
      from: PlainDate('The first day of the price.'),
      price: Reference(MoneySchema),
      policies: Type.Array(Type.Integer(), {
        description: 'Policies whose shares depend on the price: they stay as they are without a change.',
      }),
      deferred: Type.Array(Type.Integer(), {
        description: 'Policies by which employees pay the whole price: they pay the new one.',
      }),
    }),
    'The next ticket price. Null: none is known.',
  ),
});
export type Policies = Static<typeof PoliciesSchema>;

const Name = Type.String({ minLength: 1, maxLength: 100, ...withoutNul });
const Groups = Type.Array(Type.String({ minLength: 1, maxLength: 100, ...withoutNul }), {
  maxItems: 200,
  description: 'Groups of employees to whom the policy applies. Case does not matter.',
});

export const NewPolicyBody = Closed({ name: Name, groups: Groups, from: Month('First month.'), terms: TermsSchema });
export type NewPolicyBody = Static<typeof NewPolicyBody>;

export const EditPolicyBody = Closed({ name: Type.Optional(Name), groups: Type.Optional(Groups) });
export type EditPolicyBody = Static<typeof EditPolicyBody>;

const Id = Type.Integer({ minimum: 1, maximum: maxInteger });

export const OrderBody = Closed({
  ids: Type.Array(Id, { maxItems: 1_000, description: 'All policies but the default, in their new order.' }),
});
export type OrderBody = Static<typeof OrderBody>;

export const AssignBody = Closed({
  policyId: Nullable(Id, 'Null: by group, else the default.'),
});
export type AssignBody = Static<typeof AssignBody>;

export const CreatedPolicySchema = Closed({ id: Type.Integer() });

const change = {
  from: Month('First month of the new version.'),
  terms: NullableObject(TermsSchema, 'Null: the same terms, at the price of that month.'),
  deadline: Nullable(PlainDate('Last day on which employees can agree.'), 'Null: the cut-off of the month before.'),
  noAnswer: Enum(noAnswerRules, { description: 'What happens to those who have not agreed by then.' }),
};

export const ChangeBody = Closed(change);
export type ChangeBody = Static<typeof ChangeBody>;

export const StartChangeBody = Closed({
  ...change,
  confirm: Type.Integer({ minimum: 0, description: 'Repeats the number of employees affected.' }),
});
export type StartChangeBody = Static<typeof StartChangeBody>;

/** How many employees a preview names. */
export const maxNamed = 200;

const shares = { before: Reference(MoneySchema), after: Reference(MoneySchema) };

export const ChangePreviewSchema = Closed({
  deadline: PlainDate('The last day on which employees can agree.'),
  affected: Type.Integer(),
  mustAgree: Type.Integer({ description: 'Those whose share rises.' }),
  company: Closed({ perMonth: Closed(shares), perYear: Closed(shares) }),
  employees: Closed(shares, 'What they pay together per month.'),
  discountLost: Type.Integer({ description: 'Tickets that lose the discount.' }),
  discountGained: Type.Integer(),
  isMailConfigured: Type.Boolean({ description: 'Whether employees are informed by mail.' }),
  named: Type.Array(
    Closed({
      employeeId: Type.Integer(),
      name: Type.String(),
      ...shares,
      mustAgree: Type.Boolean(),
      discount: Nullable(Enum(['lost', 'gained'] as const)),
    }),
    { description: `The first ${maxNamed}: those who must agree, then the others.` },
  ),
});
export type ChangePreview = Static<typeof ChangePreviewSchema>;

export const StartedChangeSchema = Closed({ id: Type.Integer() });

export const ChangeDetailsSchema = Closed({
  change: ChangeSchema,
  isMailConfigured: Type.Boolean(),
  remindersOn: Type.Array(PlainDate('A day on which reminders go out by themselves.')),
});
export type ChangeDetails = Static<typeof ChangeDetailsSchema>;

export const AffectedQuery = Type.Object({
  search: Type.Optional(searchParameter('a name or email address')),
  states: Type.Optional(Type.Array(Enum(planChangeStates), { description: 'Only employees in these states.' })),
  page: pagingParameters.page,
  perPage: { ...pagingParameters.perPage, default: 25 },
  sortField: Enum(['name'], { default: 'name' }),
  sortOrder: pagingParameters.sortOrder,
});
export type AffectedQuery = Static<typeof AffectedQuery>;

const AffectedSchema = Closed({
  employeeId: Type.Integer(),
  firstName: Type.String(),
  lastName: Type.String(),
  email: Type.String(),
  state: Enum(planChangeStates),
  ...shares,
  remindedOn: Nullable(PlainDate('The day of the last reminder.')),
});
export type Affected = Static<typeof AffectedSchema>;

export const AffectedPageSchema = DataOf(PageOf(AffectedSchema).properties.data);
export type AffectedPage = Static<typeof AffectedPageSchema>;

export const RemindedSchema = Closed({ reminded: Type.Integer() });
export type Reminded = Static<typeof RemindedSchema>;
