import { isEmailAddress } from '../../../domain/email-address.ts';
import { createMessage, formatMessage, type Message } from '../../../domain/messages/message.ts';
import { findNearestName } from '../../../domain/nearest-name.ts';
import { findTextProblem } from '../../../domain/single-line-text.ts';
import { hasLeitwegCheckDigits, isBic, isCountry, isIban, isLeitwegLike, isVatId } from './identifiers.ts';

/** The operator, who issues the invoices. Identifiers are stored without spaces, in capitals. */
export interface Seller {
  name: string;
  street: string;
  postCode: string;
  city: string;
  country: string;
  vatId: string;
  taxNumber: string | null;
  email: string;
  phone: string;
  contact: string;
  iban: string;
  bic: string | null;
  /** Court and number of the commercial register. Absent from data that an older version stored, like the following. */
  register?: string | null;
  /** The names of the managing directors. */
  managingDirectors?: string | null;
  /** Invoices are due this many days after their date. */
  paymentDays: number;
}

/** Returns what is wrong, or undefined. */
type Check = (value: string) => Message | undefined;

const limited =
  (maxLength: number): Check =>
  (value) =>
    value.length > maxLength ? createMessage('value-too-long', { limit: maxLength }) : findTextProblem(value)?.message;

const valid =
  (isValid: (value: string) => boolean, problem: Message): Check =>
  (value) =>
    isValid(value) ? undefined : problem;

const vatId = valid(isVatId, createMessage('value-vat-id'));
const country = valid(isCountry, createMessage('value-country'));
const email = valid(isEmailAddress, createMessage('value-email-example', { example: 'invoices@example.com' }));

const sellerChecks: Readonly<Record<Exclude<keyof Seller, 'paymentDays'>, Check>> = {
  name: limited(200),
  street: limited(200),
  postCode: limited(20),
  city: limited(100),
  country,
  vatId,
  taxNumber: limited(30),
  email,
  phone: valid(
    (value) => /^[+\d][\d ()/.-]{2,39}$/.test(value) && (value.match(/\d/g)?.length ?? 0) >= 3,
    createMessage('value-phone'),
  ),
  contact: limited(100),
  iban: valid(isIban, createMessage('value-iban')),
  bic: valid(isBic, createMessage('value-bic')),
  register: limited(100),
  managingDirectors: limited(200),
};

const buyerChecks = {
  legalName: limited(200),
  street: limited(200),
  postCode: limited(20),
  city: limited(100),
  country,
  vatId,
  invoiceEmail: email,
  /** A reference of the buyer's own, or the Leitweg-ID of a public authority. */
  buyerReference: (value: string) =>
    isLeitwegLike(value) && !hasLeitwegCheckDigits(value) ? createMessage('value-leitweg-id') : limited(100)(value),
};

/** What a company enters for its invoices. Null: not entered. */
export type BuyerSettings = Record<keyof typeof buyerChecks, string | null>;

export const buyerFields = Object.keys(buyerChecks) as (keyof BuyerSettings)[];

const compact = new Set(['vatId', 'iban', 'bic', 'country']);

/** Returns the text as it is stored: without surrounding spaces, and identifiers in capitals without any. */
export const normalizePartyField = (field: string, text: string) =>
  compact.has(field) ? text.replaceAll(/\s/g, '').toUpperCase() : text.trim();

/** Returns what is wrong with a buyer's field, or undefined if it is valid. */
export const findWrongBuyerField = (field: keyof BuyerSettings, value: string): Message | undefined =>
  buyerChecks[field](value);

const optionalOfSeller: readonly string[] = ['taxNumber', 'bic', 'register', 'managingDirectors', 'paymentDays'];
const defaultPaymentDays = 14;
const maxPaymentDays = 365;

const isPaymentDays = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxPaymentDays;

function describeWrongSellerField(field: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') {
    return optionalOfSeller.includes(field) ? undefined : 'is missing';
  }
  if (field === 'paymentDays') {
    return isPaymentDays(value) ? undefined : `must be a whole number from 0 to ${maxPaymentDays}`;
  }
  if (typeof value !== 'string') return 'must be a string';
  const problem = sellerChecks[field as keyof typeof sellerChecks](normalizePartyField(field, value));
  return problem && formatMessage(problem);
}

const sellerFields = [...Object.keys(sellerChecks), 'paymentDays'];

/** Returns the seller of a parsed JSON file, or everything that is wrong with it. */
export function readSeller(given: unknown): { seller: Seller } | { problems: string[] } {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { problems: [`must be a JSON object with ${sellerFields.join(', ')}`] };
  }
  const values = given as Record<string, unknown>;
  const unknown = Object.keys(values).flatMap((field) => {
    if (sellerFields.includes(field)) return [];
    const nearest = findNearestName(field, sellerFields);
    return [
      nearest === undefined ? `"${field}" is not known: remove it` : `"${field}" is not known: write "${nearest}"`,
    ];
  });
  const wrong = sellerFields.flatMap((field) => {
    const detail = describeWrongSellerField(field, values[field]);
    return detail === undefined ? [] : [`"${field}" ${detail}`];
  });
  if (unknown.length + wrong.length > 0) return { problems: [...unknown, ...wrong] };
  const texts = Object.keys(sellerChecks).map((field) => {
    const value = values[field];
    return [field, typeof value === 'string' && value.trim() !== '' ? normalizePartyField(field, value) : null];
  });
  const { paymentDays } = values;
  const seller = { ...Object.fromEntries(texts), paymentDays: paymentDays ?? defaultPaymentDays };
  return { seller: seller as Seller };
}
