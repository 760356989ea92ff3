import type { EmployeeMailKind } from '../../domain/enums.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { Encryption } from '../../platform/crypto/encryption.ts';
import { nameSecretOf } from '../../platform/crypto/encryption.ts';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import { optionalMailKinds } from './rules/kinds.ts';

/** What a link to unsubscribe can do: switch one kind of mail off for one employee, and nothing else. */
export interface Unsubscription {
  companyId: CompanyId;
  employeeId: number;
  kind: EmployeeMailKind;
}

const nameToken = (companyId: CompanyId) => nameSecretOf('unsubscribe', companyId, 'link');

/** Nothing is stored: the token is what it says, encrypted, and works as long as SECRET does. */
export const formatUnsubscribeToken = (
  encryption: Encryption,
  { companyId, employeeId, kind }: Unsubscription,
): string => `${companyId}.${encryption.encrypt(`${employeeId} ${kind}`, nameToken(companyId))}`;

/** Returns undefined for a text that is not such a token. */
export function parseUnsubscribeToken(encryption: Encryption, text: string): Unsubscription | undefined {
  const [, company, stored] = /^([1-9]\d{0,14})\.(.{1,300})$/.exec(text) ?? [];
  if (company === undefined || stored === undefined) return undefined;
  const companyId = asCompanyId(Number(company));
  try {
    const [employee = '', name] = encryption.decrypt(stored, nameToken(companyId)).split(' ');
    const kind = optionalMailKinds.find((one) => one === name);
    return kind && { companyId, employeeId: Number(employee), kind };
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}
