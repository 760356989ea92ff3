import { isEmailAddress } from '../email-address.ts';
import { findNearestName } from '../nearest-name.ts';
import { findTextProblem } from '../single-line-text.ts';
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
  /** Invoices are due this many days after their date. */
  paymentDays: number;
}

/** What a company enters for its invoices. Null: not entered. */
export interface BuyerSettings {
  legalName: string | null;
  street: string | null;
  postCode: string | null;
  city: string | null;
  country: string | null;
  vatId: string | null;
  invoiceEmail: string | null;
  /** A reference of the buyer's own, or the Leitweg-ID of a public authority. */
  buyerReference: string | null;
}

export const buyerFields = [
  'legalName',
  'street',
  'postCode',
  'city',
  'country',
  'vatId',
  'invoiceEmail',
  'buyerReference',
] as const satisfies (keyof BuyerSettings)[];

/** What an invoice needs of a buyer. The name of the company stands in for a legal name, and Germany for a country. */
const requiredOfBuyer = ['street', 'postCode', 'city'] as const satisfies (keyof BuyerSettings)[];

export const listMissingOfBuyer = (buyer: BuyerSettings) => requiredOfBuyer.filter((field) => buyer[field] === null);

/** Returns what is wrong as a phrase that follows the name of the field, or undefined. */
type Check = (value: string) => string | undefined;

const limited =
  (maxLength: number): Check =>
  (value) =>
    value.length > maxLength ? `must have at most ${maxLength} characters` : findTextProblem(value)?.detail;

const valid =
  (isValid: (value: string) => boolean, rule: string): Check =>
  (value) =>
    isValid(value) ? undefined : rule;

const vatId = valid(isVatId, 'must be a VAT id with its country, such as DE123456789');
const country = valid(isCountry, 'must be a country code of two letters, such as DE');
const email = valid(isEmailAddress, 'must be an email address, such as invoices@example.com');

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
    'must be a phone number with at least three digits, such as +49 30 1234567',
  ),
  contact: limited(100),
  iban: valid(isIban, 'must be an IBAN with the right check digits: compare it with a bank statement'),
  bic: valid(isBic, 'must be a BIC of 8 or 11 characters, such as COBADEFFXXX'),
};

const buyerChecks: Readonly<Record<keyof BuyerSettings, Check>> = {
  legalName: limited(200),
  street: limited(200),
  postCode: limited(20),
  city: limited(100),
  country,
  vatId,
  invoiceEmail: email,
  buyerReference: (value) =>
    isLeitwegLike(value) && !hasLeitwegCheckDigits(value)
      ? 'must be a Leitweg-ID with the right check digits at its end: compare it with the order'
      : limited(100)(value),
};

const compact = new Set(['vatId', 'iban', 'bic', 'country']);

/** Returns the text as it is stored: without surrounding spaces, and identifiers in capitals without any. */
export const normalizePartyField = (field: string, text: string) =>
  compact.has(field) ? text.replaceAll(/\s/g, '').toUpperCase() : text.trim();

/** Returns what is wrong with a buyer's field as text that follows its name, or undefined if it is valid. */
export const describeWrongBuyerField = (field: keyof BuyerSettings, value: string): string | undefined =>
  buyerChecks[field](value);

const optionalOfSeller: readonly string[] = ['taxNumber', 'bic', 'paymentDays'];
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
  return sellerChecks[field as keyof typeof sellerChecks](normalizePartyField(field, value));
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
