import { hash, randomBytes } from 'node:crypto';
import { asCompanyId, type CompanyId } from '../db/company-scope.ts';

/** The secret of a link. The id of its company precedes it and says where to look it up. Only its hash is stored. */
export interface CompanyToken {
  companyId: CompanyId;
  secret: string;
}

export const createSecret = () => randomBytes(32).toString('base64url');

export const hashSecret = (secret: string) => hash('sha256', secret, 'buffer');

export const formatToken = ({ companyId, secret }: CompanyToken) => `${companyId}.${secret}`;

export function parseToken(text: string): CompanyToken | undefined {
  const [, companyId, secret] = /^([1-9]\d{0,14})\.([\w-]{43})$/.exec(text) ?? [];
  return companyId && secret ? { companyId: asCompanyId(Number(companyId)), secret } : undefined;
}
