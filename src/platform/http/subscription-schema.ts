import { Type } from 'typebox';
import { subscriptionStatuses } from '../../domain/enums.ts';
import { upcomingTypes } from '../../domain/subscription/public-dates.ts';
import { Enum, Nullable, NullableObject, PlainDate } from './schemas.ts';

export const SubscriptionSchema = Type.Object(
  {
    status: Enum(subscriptionStatuses),
    startAt: Nullable(PlainDate('Day on which the subscription started. Null if it has not started yet.')),
    nextTicketAt: Nullable(PlainDate('Day on which the next ticket will be issued. Null if none is expected.')),
    pausedAt: Nullable(PlainDate('First day of the present or the last pause. Null if it was never paused.')),
    cancelledAt: Nullable(
      PlainDate(
        'Day on which the subscription ended. Null if it has not ended, also while its end is known. While a new subscription is `scheduled`, `startAt` and `cancelledAt` are those of the one that ended.',
      ),
    ),
    reactivatedAt: Nullable(
      PlainDate('Day on which tickets last resumed after a pause, or after an end. Null if they never did.'),
    ),
    upcoming: NullableObject(
      Type.Object(
        { type: Enum(upcomingTypes), at: PlainDate('First day on which it holds.') },
        { additionalProperties: false },
      ),
      'What changes the status next, by what is known today. A planned date is here until it is reached, and in its own field from then on. Null if nothing is planned.',
    ),
  },
  { additionalProperties: false },
);
