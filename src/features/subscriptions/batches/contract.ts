import { type Static, Type } from 'typebox';
import { batchActions, batchOutcomes, requestActions } from '../../../domain/enums.ts';
import { MessageSchema } from '../../../platform/http/message-schema.ts';
import { Closed } from '../../../platform/http/portal/schemas.ts';
import { Enum, Nullable, NullableObject, PlainDate, Reference, Timestamp } from '../../../platform/http/schemas.ts';
import { EffectsSchema } from '../../billing/contract.ts';
import { ConsentSchema, employeeSelection } from '../../employees/contract.ts';

/** So many employees of a preview are named per group. */
export const maxNamed = 20;

const wanted = {
  action: Enum(requestActions),
  ...employeeSelection,
  from: Type.Optional(
    PlainDate('The first day of the month from which it takes effect. Absent: the earliest possible.'),
  ),
  until: Type.Optional(
    PlainDate('Of a pause: the first day of the month in which tickets resume. Absent: until further notice.'),
  ),
  consent: Type.Optional(ConsentSchema),
};

export const PreviewBatchBody = Closed(wanted);
export type PreviewBatchBody = Static<typeof PreviewBatchBody>;

export const BatchBody = Closed({
  ...wanted,
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Kept with each request.' })),
  confirm: Type.Integer({ minimum: 1, description: 'Repeats the number of employees to which it applies.' }),
});
export type BatchBody = Static<typeof BatchBody>;

const Named = Type.Array(Closed({ employeeId: Type.Integer(), name: Type.String() }), {
  description: `The first ${maxNamed}.`,
});

const RefusalsSchema = Type.Array(
  Closed({ message: Reference(MessageSchema), employees: Type.Integer(), named: Named }),
  { description: 'Why it is not possible for some, most frequent first.' },
);
export type Refusals = Static<typeof RefusalsSchema>;

export const BatchPreviewSchema = Closed({
  employees: Type.Integer({ description: 'How many are selected.' }),
  applicable: Type.Integer({ description: 'For how many of them it changes something.' }),
  unchanged: Type.Integer({ description: 'For how many it is so already.' }),
  needConsent: Type.Integer({ description: 'How many have ended it by themselves: it takes their recorded consent.' }),
  effects: EffectsSchema,
  monthly: Closed(
    { companyCents: Type.Integer(), employeesCents: Type.Integer() },
    'What the company, with fees, and all employees together pay more per month. Negative: less.',
  ),
  from: Type.Array(Closed({ month: PlainDate('The first day of a month.'), employees: Type.Integer() }), {
    description: 'From which month it takes effect for how many.',
  }),
  named: Named,
  refusals: RefusalsSchema,
});
export type BatchPreview = Static<typeof BatchPreviewSchema>;

export const BatchSchema = Closed({
  id: Type.Integer(),
  action: Enum(batchActions),
  total: Type.Integer(),
  decided: Type.Integer(),
  refused: Type.Integer({ description: 'For how many it was no longer possible.' }),
  finishedAt: Nullable(Timestamp('When the last employee was processed.')),
  refusals: RefusalsSchema,
  undo: NullableObject(
    Closed({ employees: Type.Integer(), until: PlainDate('The last day on which it can be undone for all of them.') }),
    'For how many it can be undone today. Null: for nobody.',
  ),
});
export type Batch = Static<typeof BatchSchema>;

export const UndoBatchBody = Closed({
  confirm: Type.Integer({ minimum: 1, description: 'Repeats the number of employees for whom it can be undone.' }),
});
export type UndoBatchBody = Static<typeof UndoBatchBody>;

export const BatchItemSchema = Closed({
  employeeId: Type.Integer(),
  firstName: Nullable(Type.String(), 'Null if the employee was erased.'),
  lastName: Nullable(Type.String()),
  email: Nullable(Type.String()),
  outcome: Nullable(Enum(batchOutcomes), 'Null: not processed yet.'),
  from: Nullable(PlainDate('The month from which it takes effect.')),
  message: NullableObject(MessageSchema, 'Why it was not possible.'),
});
export type BatchItem = Static<typeof BatchItemSchema>;
