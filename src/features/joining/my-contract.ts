import { type Static, Type } from 'typebox';
import { planTypes } from '../../domain/enums.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, MoneySchema, Nullable, PlainDate, Reference } from '../../platform/http/schemas.ts';

const offerStates = ['open', 'joined', 'declined', 'not-possible'] as const;

export const InvitationBody = Closed({
  token: Type.String({ minLength: 1, maxLength: 100, description: 'What follows # in the address of the invitation.' }),
});
export type InvitationBody = Static<typeof InvitationBody>;

/** What the link of an invitation shows. Whoever has the link sees no more of the employee than a first name. */
export const OfferSchema = Closed({
  firstName: Type.String(),
  companyName: Type.String(),
  logo: Nullable(Type.String(), 'The logo of the company, a PNG file in Base64. Null: there is none.'),
  planType: Enum(planTypes),
  ticketPrice: Reference(MoneySchema),
  companyAmount: Reference(MoneySchema),
  employeeAmount: Reference(MoneySchema),
  firstMonth: Nullable(PlainDate('The first month with a ticket after joining today. Null: not known yet.')),
  state: Enum(offerStates, {
    description: 'Whether the employee can join. `declined`: they have declined, and can still change their mind.',
  }),
  validUntil: PlainDate('The last day on which the link works.'),
});
export type Offer = Static<typeof OfferSchema>;
