import { type SqlBool, sql } from 'kysely';

declare const companyIdBrand: unique symbol;
/**
 * Comes from a checked key, a session or the operator's command line, never from a request's parameters; only beside the
 * secret of a wallet pass it is read from an address (src/wallet/queries.ts).
 */
export type CompanyId = number & { readonly [companyIdBrand]: true };

export const asCompanyId = (id: number): CompanyId => id as CompanyId;

/**
 * The one way to scope a query to a company. Every statement on a company's table contains it for every table it names;
 * the test suite watches the statements it runs and fails on one that does not.
 */
export const ofCompany = (companyId: CompanyId, table: string) =>
  sql<SqlBool>`${sql.ref(`${table}.company_id`)} = ${companyId}`;
