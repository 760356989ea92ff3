import { Type } from 'typebox';
import { subscriptionStatuses } from '../domain/enums.ts';
import { Enum, Nullable, PlainDate } from './schemas.ts';

/** The subscription as employee records and events show it. */
export const SubscriptionSchema = Type.Object(
  {
    status: Enum(subscriptionStatuses),
    startAt: Nullable(PlainDate('Date the subscription starts or started. Null if there is none.')),
    nextTicketAt: Nullable(PlainDate('Date the next ticket will be issued. Null if none is expected.')),
    pausedAt: Nullable(PlainDate('Date of the last or upcoming pause. Null if never paused.')),
    cancelledAt: Nullable(PlainDate('Date the cancellation takes effect. Null if not cancelled.')),
    reactivatedAt: Nullable(PlainDate('Date of the last reactivation after a pause or cancellation. Null if never.')),
  },
  { additionalProperties: false },
);
