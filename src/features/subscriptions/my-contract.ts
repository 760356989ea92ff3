import { type Static, Type } from 'typebox';
import { planTypes, requestActions, subscriptionStatuses } from '../../domain/enums.ts';
import { MessageSchema } from '../../platform/http/message-schema.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  Enum,
  MoneySchema,
  maxInteger,
  Nullable,
  NullableObject,
  PlainDate,
  Reference,
  Timestamp,
  withoutNul,
} from '../../platform/http/schemas.ts';
import { Month } from '../tickets/my-contract.ts';

/** Who keeps a subscription paused. */
const pauseSides = ['employee', 'company', 'absence'] as const;

const FirstOfMonth = (description: string) => Nullable(PlainDate(`${description} The first of a month.`));

const request = {
  action: Enum(requestActions),
  from: Type.Optional(FirstOfMonth('When it takes effect. Absent or null: as early as possible.')),
  until: Type.Optional(
    FirstOfMonth('Of a pause: when tickets resume. Absent or null: until the employee takes the pause back.'),
  ),
};

export const PreviewRequestBody = Closed(request);
export type PreviewRequestBody = Static<typeof PreviewRequestBody>;

export const RequestBody = Closed({
  ...request,
  reason: Type.Optional(Type.String({ maxLength: 500, ...withoutNul })),
  agreementSha256: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'Required if `needsAgreement` of the preview is true: SHA-256 of the agreement that was shown (`GET /agreement`).',
    }),
  ),
});
export type RequestBody = Static<typeof RequestBody>;

export const UndoBody = Closed({ requestId: Type.Integer({ minimum: 1, maximum: maxInteger }) });
export type UndoBody = Static<typeof UndoBody>;

const amounts = {
  ticketPrice: Reference(MoneySchema),
  companyAmount: Reference(MoneySchema),
  employeeAmount: Reference(MoneySchema),
};

const dates = {
  startAt: Nullable(PlainDate('When it began or is to begin. Null: there is no subscription.')),
  endAt: Nullable(PlainDate('When it ended or is to end: the first day without a ticket.')),
  nextTicketAt: Nullable(PlainDate('When the next ticket will be issued.')),
  lastTicketMonth: Nullable(Month('The month of the last ticket, if the subscription ends.')),
  lastDeductionMonth: Nullable(Month('The last month of which the employee pays a part, if the subscription ends.')),
};

const pauses = Type.Array(
  Closed({
    by: Enum(pauseSides),
    from: PlainDate('The first day without a ticket.'),
    until: Nullable(PlainDate('When tickets resume. Null: not known.')),
  }),
);

const Status = Enum(subscriptionStatuses);

/** One's own subscription: what it is, what it costs, and what is next. */
export const MySubscriptionSchema = Closed({
  status: Status,
  sentence: Reference(MessageSchema),
  reasons: Type.Array(Reference(MessageSchema)),
  planType: Enum(planTypes),
  ...amounts,
  deductedWith: Nullable(Month('The payroll month of the next deduction. Null: nothing will be deducted.')),
  ...dates,
  pauses,
  whoCanChange: NullableObject(MessageSchema, 'Who else can change it. Null: the employee can.'),
  undo: Nullable(
    Closed({
      requestId: Type.Integer(),
      action: Enum(requestActions),
      until: PlainDate('The last day on which it can be undone.'),
    }),
    'The newest request that can be undone.',
  ),
});

export type MySubscription = Static<typeof MySubscriptionSchema>;

export const MyActionSchema = Closed({
  action: Enum(requestActions),
  isPossible: Type.Boolean(),
  message: NullableObject(MessageSchema, 'Why it is not possible. Null: it is, or it makes no sense now.'),
  earliestFrom: Nullable(PlainDate('When it could take effect at the earliest.')),
});

export type MyPossibleAction = Static<typeof MyActionSchema>;

/** What a request does or would do. */
const outcome = {
  action: Enum(requestActions),
  from: Nullable(PlainDate('When it takes effect.')),
  until: Nullable(PlainDate('When tickets resume after a pause. Null: not known, or no pause.')),
  status: Status,
  sentence: Reference(MessageSchema),
  changes: Type.Array(Closed({ effectiveOn: PlainDate('When it takes effect.'), message: Reference(MessageSchema) })),
  ...amounts,
  deductedWith: MySubscriptionSchema.properties.deductedWith,
  ...dates,
  pauses,
  undoUntil: Nullable(PlainDate('The last day on which it can be undone. Null: it cannot be undone.')),
};

export const RequestPreviewSchema = Closed({
  refusal: Nullable(
    Closed({
      code: Type.String(),
      message: Reference(MessageSchema),
      earliestFrom: Nullable(PlainDate('When it could take effect at the earliest.')),
    }),
    'Why the request is not possible. The other fields then describe the subscription as it is.',
  ),
  needsAgreement: Type.Boolean({ description: 'Whether the request accepts the agreement (`GET /agreement`).' }),
  ...outcome,
});
export type RequestPreview = Static<typeof RequestPreviewSchema>;

export const RequestOutcomeSchema = Closed({ requestId: Type.Integer(), ...outcome });
export type RequestOutcomeView = Static<typeof RequestOutcomeSchema>;

/** Who caused an entry of the history. People of the company are not named. */
const historySides = ['employee', 'company', 'service'] as const;

export const MyHistorySchema = Type.Array(
  Closed({
    recordedAt: Timestamp('When.'),
    effectiveOn: PlainDate('When it takes effect.'),
    message: Reference(MessageSchema),
    by: Enum(historySides),
  }),
  { description: 'Newest first.' },
);
export type MyHistory = Static<typeof MyHistorySchema>;
