import { moneyFormat } from '../../domain/money.ts';
import type { Links } from './links.ts';

export interface Money {
  label: string;
  value: number;
}

export interface View {
  companyId: number;
  links: Links;
  money(cents: number): Money;
}

interface Caller {
  companyId: number;
  company: { locale: string; currency: string };
}

export function viewFor({ companyId, company }: Caller, links: Links): View {
  const format = moneyFormat(company.locale, company.currency);
  return { companyId, links, money: (cents) => ({ label: format(cents), value: cents }) };
}

/** Returns a timestamp as RFC 3339 in whole seconds. Accepts the database's format and that of JSON. */
export const presentTimestamp = (text: string) => `${text.slice(0, 19)}Z`;
export const presentOptionalTimestamp = (text: string | null) => (text === null ? null : presentTimestamp(text));
