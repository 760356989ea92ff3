import type { FastifyRequest } from 'fastify';
import type { Principal } from '../auth/authenticate.ts';
import { principalOf } from '../auth/guard.ts';
import { moneyFormat } from '../domain/money.ts';
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

type Caller = Pick<Principal, 'companyId'> & { company: Pick<Principal['company'], 'locale' | 'currency'> };

export function viewFor({ companyId, company }: Caller, links: Links): View {
  const format = moneyFormat(company.locale, company.currency);
  return { companyId, links, money: (cents) => ({ label: format(cents), value: cents }) };
}

export const viewOf = (request: FastifyRequest, links: Links): View => viewFor(principalOf(request), links);

/**
 * Returns a timestamp as RFC 3339 in UTC with whole seconds. Accepts the database's format of a column and of a value
 * in JSON, because both begin alike.
 */
export const presentTimestamp = (text: string) => `${text.slice(0, 19)}Z`;
export const presentOptionalTimestamp = (text: string | null) => (text === null ? null : presentTimestamp(text));
