import { type Static, Type } from 'typebox';
import type { ReplacementReason } from '../../domain/enums.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, Nullable, PlainDate, Timestamp, withoutNul } from '../../platform/http/schemas.ts';

/** The reasons that employees choose from. */
const ownReasons = ['unreadable', 'new-phone'] as const satisfies readonly ReplacementReason[];

export const Month = (description: string) =>
  Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description, examples: ['2026-11'] });

/** A ticket as its holder shows it. */
export const MyTicketSchema = Closed({
  id: Type.String({ description: 'The number of the ticket.' }),
  chipCardNumber: Type.Optional(Type.String({ description: 'The chip card that the ticket is on. Absent: none.' })),
  activationCode: Type.Optional(
    Type.String({ description: 'The code that activates the ticket at its issuer. Absent: none is needed.' }),
  ),
  product: Type.String({ examples: ['Deutschlandticket Job'] }),
  month: Month('The month of the ticket.'),
  firstName: Type.String(),
  lastName: Type.String(),
  validFrom: PlainDate('First day of validity.'),
  validUntil: PlainDate('Last day of validity.'),
  code: Type.String({
    description:
      'What inspectors scan: the content of a QR code, or the rows of an Aztec code, one per line, of `1` (dark) and `0`. Empty: the ticket has only its number.',
  }),
  format: Enum(['qr', 'aztec', 'none']),
  isTest: Type.Boolean({ description: 'Whether the ticket is valid nowhere, because this is not production.' }),
  wallet: Closed({
    apple: Nullable(Type.String(), 'URL of the pass. Null: Apple Wallet is not set up, or there is no pass yet.'),
    google: Nullable(Type.String(), 'URL of the pass. Null: Google Wallet is not set up, or there is no pass yet.'),
  }),
});
export type MyTicket = Static<typeof MyTicketSchema>;

/** Why somebody whose subscription is running has no ticket today. */
export const MissingTicketSchema = Closed({
  state: Enum(['being-issued', 'failed', 'blocked']),
  nextAttemptAt: Nullable(Timestamp('When the issuer is asked next.'), 'Null: soon, or not at all.'),
});
export type MissingTicket = Static<typeof MissingTicketSchema>;

export const ReplacementBody = Closed({
  reason: Enum(ownReasons),
  ticketId: Type.Optional(
    Type.String({
      maxLength: 100,
      ...withoutNul,
      description: 'The number of the ticket to replace. If it was replaced already, nothing happens again.',
    }),
  ),
});
export type ReplacementBody = Static<typeof ReplacementBody>;

export const ReplacedTicketSchema = Closed({
  ticket: Nullable(MyTicketSchema, 'The new ticket. Null: it is still to be issued.'),
  remaining: Type.Integer({ description: 'How often the ticket of this month can still be replaced.' }),
});
export type ReplacedTicket = Static<typeof ReplacedTicketSchema>;
