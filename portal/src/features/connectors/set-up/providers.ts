import type { Provider } from '../../../../../src/domain/enums.ts';

interface CredentialField {
  name: 'clientId' | 'clientSecret' | 'serviceUserId' | 'token' | 'domain' | 'apiKey' | SftpField;
  isSecret?: boolean;
  isOptional?: boolean;
  /** Text of several lines, such as a key. */
  isLong?: boolean;
}
type SftpField = 'host' | 'port' | 'user' | 'password' | 'privateKey' | 'hostKey' | 'path';

export interface ProviderForm {
  /** What people call it. Null: the texts name it. */
  title: string | null;
  /** The provider's own documentation of its API. */
  documentation: string | null;
  fields: readonly CredentialField[];
}

export const providerForms: Record<Provider, ProviderForm> = {
  personio: {
    title: 'Personio',
    documentation: 'https://developer.personio.de/docs',
    fields: [{ name: 'clientId' }, { name: 'clientSecret', isSecret: true }],
  },
  hibob: {
    title: 'HiBob',
    documentation: 'https://apidocs.hibob.com/docs',
    fields: [{ name: 'serviceUserId' }, { name: 'token', isSecret: true }],
  },
  bamboohr: {
    title: 'BambooHR',
    documentation: 'https://documentation.bamboohr.com/docs',
    fields: [{ name: 'domain' }, { name: 'apiKey', isSecret: true }],
  },
  'sftp-csv': {
    title: null,
    documentation: null,
    fields: [
      { name: 'host' },
      { name: 'port', isOptional: true },
      { name: 'user' },
      { name: 'password', isSecret: true, isOptional: true },
      { name: 'privateKey', isSecret: true, isOptional: true, isLong: true },
      { name: 'hostKey' },
      { name: 'path' },
    ],
  },
};

/** The credentials that connect to the fake of Personio on staging. */
export const demoCredentials = { clientId: 'demo', clientSecret: 'demo' };

/**
 * Absences of months rather than days, in German and English. Only these pause a subscription, so the others need not
 * be read.
 */
const longAbsence =
  /eltern|mutterschutz|sabbat|unbezahlt|langzeit|krankengeld|pflegezeit|parental|matern|patern|unpaid|long.?term|care leave/i;

export const isSuggested = (name: string) => longAbsence.test(name);
