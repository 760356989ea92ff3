import { createHash } from 'node:crypto';
import type { BarcodeFormat, OrderActor, OrderState } from '../../../domain/enums.ts';
import { createMessage, type Message, type MessagePart } from '../../../domain/messages/message.ts';
import type { IssuerOrder, IssuerTicket } from '../contract.ts';
import { findDifferences, mismatchMessage } from './check-ticket.ts';
import { maxRetries, nextDelay, nextPoll } from './schedule.ts';

/** What came back for an order: the issuer's, none because it does not know it, or why it cannot be placed. */
export type Answer = { orderId: string } & (
  | { order: IssuerOrder | undefined /** False: it tells by itself when there is a ticket. */; isPolled?: boolean }
  | { refused: { code: string; explanation: Message } }
);

/** What the service knows about the order. */
export interface KnownOrder {
  orderId: string;
  state: OrderState;
  month: string;
  orderedAt: string | null;
  firstName: string | null;
  lastName: string | null;
  dateOfBirth: string | null;
  failures: number;
}

/** What others of the company already have. */
export interface Taken {
  barcode(hash: string): boolean;
  /** The numbers of tickets and cards, and codes, that belong to another employee. */
  number(number: string): boolean;
}

/** How an order changes. Every field replaces the stored one. */
export interface OrderChange {
  orderId: string;
  state: OrderState;
  reason: Message | null;
  reasonCode: string | null;
  responsible: OrderActor | null;
  isAtIssuer: boolean;
  failures: number;
  /** After so many milliseconds the issuer is asked again. Null: it need not be. */
  nextAfter: number | null;
  ticket: StoredTicket | null;
}

export interface StoredTicket {
  number: string;
  chipCardNumber: string | null;
  activationCode: string | null;
  validFrom: string;
  validUntil: string;
  barcode: string | null;
  barcodeFormat: BarcodeFormat | null;
  barcodeHash: string | null;
}

export const hashBarcode = (data: string): string =>
  createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex');

const ended = (change: Partial<OrderChange> & { orderId: string; state: OrderState }): OrderChange => ({
  ...{
    reason: null,
    reasonCode: null,
    responsible: null,
    isAtIssuer: false,
    failures: 0,
    nextAfter: null,
    ticket: null,
  },
  ...change,
});

interface Failure {
  code: string;
  reason: Message;
  responsible: OrderActor;
  isAtIssuer?: boolean;
}

const failed = (orderId: string, { code, ...failure }: Failure) =>
  ended({ orderId, state: 'failed', reasonCode: code, ...failure });

/** The day of the order decides from when a replacement may be valid, so it is compared in the company's time zone. */
function findWrong(ticket: IssuerTicket, known: KnownOrder, { timeZone, taken }: DecideOptions): MessagePart[] {
  const orderedOn = Temporal.Instant.from(known.orderedAt ?? `${known.month}T00:00:00Z`);
  const wrong = findDifferences(ticket, {
    firstName: known.firstName ?? '',
    lastName: known.lastName ?? '',
    dateOfBirth: known.dateOfBirth === null ? null : Temporal.PlainDate.from(known.dateOfBirth),
    month: Temporal.PlainDate.from(known.month),
    orderedOn: orderedOn.toZonedDateTimeISO(timeZone).toPlainDate(),
  });
  if (ticket.barcode !== null && taken.barcode(hashBarcode(ticket.barcode.data))) {
    wrong.push({ key: 'differs-barcode-used', values: {} });
  }
  for (const received of new Set(numbersOf(ticket))) {
    if (taken.number(received)) wrong.push({ key: 'differs-number-used', values: { received } });
  }
  return wrong;
}

/** Returns what identifies a ticket, besides its barcode. */
export const numbersOf = ({ number, chipCardNumber, activationCode }: IssuerTicket): string[] =>
  [number, chipCardNumber, activationCode].flatMap((text) => text ?? []);

const toStoredTicket = ({ number, validFrom, validUntil, barcode, ...ticket }: IssuerTicket): StoredTicket => ({
  ...{ number, validFrom, validUntil },
  chipCardNumber: ticket.chipCardNumber ?? null,
  activationCode: ticket.activationCode ?? null,
  barcode: barcode?.data ?? null,
  barcodeFormat: barcode?.format ?? null,
  barcodeHash: barcode === null ? null : hashBarcode(barcode.data),
});

interface DecideOptions {
  timeZone: string;
  taken: Taken;
}

/** Returns how an order changes that was ended here: the issuer has no ticket for it any more, or is told again. */
function decideEnded({ orderId, state, failures }: KnownOrder, answer: Answer): Partial<OrderChange> | undefined {
  if ('refused' in answer) return { nextAfter: nextPoll(failures), failures: failures + 1 };
  const status = answer.order?.status;
  if (status === 'issued' || status === 'ordered') {
    return { isAtIssuer: true, nextAfter: nextDelay(failures + 1), failures: failures + 1 };
  }
  return { orderId, state, isAtIssuer: false, failures: 0, nextAfter: null };
}

/** Returns how an open order changes by an answer. What comes back is checked before it counts. */
function decideOpen(known: KnownOrder, answer: Answer, options: DecideOptions): OrderChange {
  const { orderId, failures } = known;
  if ('refused' in answer) {
    const { code, explanation } = answer.refused;
    return failed(orderId, { code, reason: explanation, responsible: code === 'conflict' ? 'hr' : 'issuer' });
  }
  const { order } = answer;
  if (order === undefined)
    return failed(orderId, { code: 'unknown', reason: createMessage('order-unknown'), responsible: 'hr' });
  if (order.status === 'blocked') {
    return failed(orderId, {
      code: 'blocked-by-issuer',
      reason: createMessage('order-blocked-by-issuer'),
      responsible: 'issuer',
    });
  }
  if (order.status === 'failed') {
    const { code, message: detail, retry } = order.failure ?? { code: 'none', message: '', retry: false };
    const reason = createMessage('order-issuer-failed', { code, detail });
    if (!retry || failures >= maxRetries)
      return failed(orderId, { code: `issuer:${code}`, reason, responsible: retry ? 'issuer' : 'hr' });
    const nextAfter = nextDelay(failures + 1);
    return ended({
      orderId,
      state: 'required',
      reason,
      reasonCode: `issuer:${code}`,
      failures: failures + 1,
      nextAfter,
    });
  }
  if (order.status === 'ordered') {
    return ended({
      orderId,
      state: 'ordered',
      isAtIssuer: true,
      failures: failures + 1,
      nextAfter: answer.isPolled === false ? null : nextPoll(failures),
    });
  }
  if (order.ticket === null) {
    const problem = 'issued without a ticket';
    return failed(orderId, {
      code: 'answer-invalid',
      reason: createMessage('order-answer-invalid', { problem }),
      responsible: 'issuer',
      isAtIssuer: true,
    });
  }
  const wrong = findWrong(order.ticket, known, options);
  if (wrong.length > 0)
    return failed(orderId, {
      code: 'mismatch',
      reason: mismatchMessage(wrong),
      responsible: 'issuer',
      isAtIssuer: true,
    });
  return ended({ orderId, state: 'issued', isAtIssuer: true, ticket: toStoredTicket(order.ticket) });
}

/** Returns how an order changes by what came back. Undefined: not at all. */
export function decideOrder(
  known: KnownOrder,
  answer: Answer,
  options: DecideOptions,
): OrderChange | (Partial<OrderChange> & { orderId: string }) | undefined {
  if (known.state === 'required' || known.state === 'ordered') return decideOpen(known, answer, options);
  // The next list may have the ticket that the last one had wrong.
  if (known.state === 'failed' && 'isPolled' in answer && !answer.isPolled) return decideOpen(known, answer, options);
  if (known.state === 'blocked' || known.state === 'replaced') {
    return { ...decideEnded(known, answer), orderId: known.orderId };
  }
  return undefined;
}
