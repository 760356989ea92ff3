import { hash, randomBytes } from 'node:crypto';
import { asCompanyId, type CompanyId } from '../db/company-scope.ts';

/** The secret of a link. The id of its company precedes it and says where to look it up. Only its hash is stored. */
export interface CompanyToken {
  companyId: CompanyId;
  secret: string;
}

export const createSecret = () => randomBytes(32).toString('base64url');

/** Letters and digits that nobody confuses, as Crockford's Base32 has them. */
const typedAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a secret that people can type from a letter. By default one of 80 bits, such as `7Q4M-0ZKD-91XF-T3WB`. */
export function createTypedSecret({ groups = 4, size = 4 } = {}): string {
  const characters = Array.from(randomBytes(size * groups), (byte) => typedAlphabet[byte % typedAlphabet.length]);
  return Array.from({ length: groups }, (_, group) => characters.slice(size * group, size * (group + 1)).join('')).join(
    '-',
  );
}

/** Returns a typed secret as it was printed, also if somebody typed small letters, or letters that look like digits. */
export const readTyped = (text: string) => text.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');

export const hashSecret = (secret: string) => hash('sha256', secret, 'buffer');

export const formatToken = ({ companyId, secret }: CompanyToken) => `${companyId}.${secret}`;

const token = /^([1-9]\d{0,14})\.(?:([\w-]{43})|((?:[0-9A-Za-z]{4}-){3}[0-9A-Za-z]{4}))$/;

export function parseToken(text: string): CompanyToken | undefined {
  const [, companyId, secret, typed] = token.exec(text) ?? [];
  if (companyId === undefined) return undefined;
  return { companyId: asCompanyId(Number(companyId)), secret: secret ?? readTyped(typed ?? '') };
}
