import { moneyFormat } from '../../domain/money.ts';
import type { Links } from './links.ts';

export interface Money {
  label: string;
  value: number;
}

/** Dependencies of presenters besides the row: links, and money in the locale of the company. */
export interface View {
  companyId: number;
  links: Links;
  money(cents: number): Money;
}

/** The API key or portal user that the response is for. */
interface Caller {
  companyId: number;
  company: { locale: string; currency: string };
}

export function viewFor({ companyId, company }: Caller, links: Links): View {
  const format = moneyFormat(company.locale, company.currency);
  return { companyId, links, money: (cents) => ({ label: format(cents), value: cents }) };
}

/**
 * Returns a timestamp as RFC 3339 in UTC with whole seconds. Accepts the database's format of a column and of a value
 * in JSON, because both begin alike.
 */
export const presentTimestamp = (text: string) => `${text.slice(0, 19)}Z`;
export const presentOptionalTimestamp = (text: string | null) => (text === null ? null : presentTimestamp(text));
