import type { TaxCategory } from '../../../domain/enums.ts';
import { divideHalfUp } from '../../../domain/money.ts';
import type { BuyerSettings } from '../../companies/rules/parties.ts';

/** Where the operator's services and the tickets are taxed. */
const domestic = 'DE';

/** The other countries of the EU by their code. Monaco belongs to France for VAT. */
const otherCountriesOfTheEu = new Set(
  'AT BE BG CY CZ DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK'.split(' '),
);

/** The prefixes of VAT ids that differ from the code of the country. */
const vatPrefixes: Readonly<Record<string, string>> = { GR: 'EL', MC: 'FR' };

type Buyer = Pick<BuyerSettings, 'country' | 'vatId'>;

/**
 * Returns how fees are taxed for a buyer, or undefined if that cannot be said: a company in another country of the EU
 * needs a VAT id of that country. Only its form is checked, when it is entered.
 */
export function feeTaxCategory({ country, vatId }: Buyer): TaxCategory | undefined {
  if (country === null || country === domestic) return 'standard';
  if (!otherCountriesOfTheEu.has(country)) return 'not-taxable';
  return vatId?.startsWith(vatPrefixes[country] ?? country) ? 'reverse-charge' : undefined;
}

/** What an invoice needs of a buyer. The name of the company stands in for a legal name, and Germany for a country. */
const requiredOfBuyer = ['street', 'postCode', 'city'] as const satisfies (keyof BuyerSettings)[];

/** Returns what has to be entered before an invoice can be issued. `vatId`: one of the company's own country. */
export const listMissingOfBuyer = (buyer: BuyerSettings): (keyof BuyerSettings)[] => [
  ...requiredOfBuyer.filter((field) => buyer[field] === null),
  ...(feeTaxCategory(buyer) === undefined ? ['vatId' as const] : []),
];

/** Returns the percentage that applies to a category. Only the standard one uses the rate of the price list. */
export const taxPercentOf = (category: TaxCategory | undefined, listed: number): number =>
  category === undefined || category === 'standard' ? listed : 0;

/** Returns the net amount of a gross amount at one rate, rounded once. The rest is tax. */
export const netOf = (grossCents: number, taxPercent: number): number =>
  divideHalfUp(grossCents * 100, 100 + taxPercent);

/**
 * Returns the net amounts of lines that are taxed at one rate, which add up to the given one. Each is rounded down first.
 * The cents that are left go to the lines that lost most.
 */
export function spreadNet(netCents: number, taxPercent: number, grossCents: readonly number[]): number[] {
  const divisor = 100 + taxPercent;
  const rests = grossCents.map((gross) => (gross * 100) % divisor);
  const floors = grossCents.map((gross, index) => (gross * 100 - (rests[index] ?? 0)) / divisor);
  const left = netCents - floors.reduce((sum, floor) => sum + floor, 0);
  const ranks = rests.map((_, index) => index).sort((a, b) => (rests[b] ?? 0) - (rests[a] ?? 0) || a - b);
  const share = Math.floor(left / floors.length);
  const more = new Set(ranks.slice(0, left - share * floors.length));
  return floors.map((floor, index) => floor + share + (more.has(index) ? 1 : 0));
}
