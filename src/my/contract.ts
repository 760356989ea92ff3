import { type Static, Type } from 'typebox';
import { languages } from '../domain/enums.ts';
import { MyAgreementStateSchema } from '../features/contracts/my-contract.ts';
import { MyActionSchema, MySubscriptionSchema } from '../features/subscriptions/my-contract.ts';
import { MissingTicketSchema, MyTicketSchema } from '../features/tickets/my-contract.ts';
import { Closed } from '../platform/http/portal/schemas.ts';
import { Enum, Nullable, PlainDate, Timestamp } from '../platform/http/schemas.ts';

/** Everything that the first page shows, in one response. */
export const HomeSchema = Closed({
  today: PlainDate('Today, where the company is.'),
  ticket: Nullable(MyTicketSchema, 'The ticket of today.'),
  nextTicket: Nullable(
    MyTicketSchema,
    'The ticket of the next month, as soon as nothing can change it any more: for a device to store before midnight. Or one of this month that is valid from a later day.',
  ),
  missing: Nullable(MissingTicketSchema, 'Why there is no ticket today. Null: there is one, or none is due.'),
  subscription: MySubscriptionSchema,
  agreement: Nullable(MyAgreementStateSchema, 'Null: no agreement applies.'),
  actions: Type.Array(MyActionSchema, { description: 'All actions, also those that are not possible.' }),
});
export type Home = Static<typeof HomeSchema>;

/** What is stored about an employee, by what it is about. */
const dataSections = [
  ...['profile', 'hr-links', 'absences', 'subscription', 'requests', 'tickets', 'replacements', 'charges', 'payroll'],
  ...['documents', 'agreements', 'invitations', 'access', 'sessions', 'mails', 'settings', 'activity', 'events'],
] as const;

export type DataSection = (typeof dataSections)[number];

export const MyDataSchema = Closed({
  createdAt: Timestamp('When this was read.'),
  sections: Type.Array(
    Closed({
      name: Enum(dataSections),
      total: Type.Integer({ description: 'How many records there are. The archive has all of them.' }),
      records: Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'The newest ones, 100 at most.' }),
    }),
  ),
});
export type MyData = Static<typeof MyDataSchema>;

export const MySettingsSchema = Closed({
  language: Enum(languages),
  mails: Type.Boolean({ description: 'Whether mails are sent that are not needed, such as the one with the ticket.' }),
});

export type MySettings = Static<typeof MySettingsSchema>;

export const MySettingsBody = Closed(Type.Partial(MySettingsSchema).properties);
export type MySettingsBody = Static<typeof MySettingsBody>;
