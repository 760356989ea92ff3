import { type SqlBool, sql } from 'kysely';

declare const companyIdBrand: unique symbol;
/** Comes from a key, a session or the operator, never from a request, except with the secret of a wallet pass. */
export type CompanyId = number & { readonly [companyIdBrand]: true };

export const asCompanyId = (id: number): CompanyId => id as CompanyId;

/** Scopes a query to a company. The tests fail on a statement that lacks it for any table of companies. */
export const ofCompany = (companyId: CompanyId, table: string) =>
  sql<SqlBool>`${sql.ref(`${table}.company_id`)} = ${companyId}`;
