import { type SqlBool, sql } from 'kysely';

declare const companyIdBrand: unique symbol;
/**
 * Comes from a verified key, a session or the operator's command line, and never from request parameters. The only
 * exception is the URL of a wallet pass, where the id accompanies the secret of the pass (src/features/wallet/store.ts).
 */
export type CompanyId = number & { readonly [companyIdBrand]: true };

export const asCompanyId = (id: number): CompanyId => id as CompanyId;

/**
 * Returns the only condition that scopes a query to a company. Every statement on a table of companies contains it for
 * every such table that it names. The test suite watches the statements it runs and fails on one that does not.
 */
export const ofCompany = (companyId: CompanyId, table: string) =>
  sql<SqlBool>`${sql.ref(`${table}.company_id`)} = ${companyId}`;
