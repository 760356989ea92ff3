import type { Environment } from '../../domain/enums.ts';

/** More than a test team needs. A longer list looks like an attempt to write to everybody. */
export const maxAllowed = 100;

/** Accepts an address or all addresses of a domain. */
const pattern = /^(\*|[^\s,<>@*]{1,64})@[^\s,<>@*]{1,253}$/;

/** Returns the addresses that a list names, in lower case, or undefined if one is neither an address nor a domain's. */
export function parseMailAllow(text: string): string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.length <= maxAllowed && entries.every((entry) => pattern.test(entry)) ? entries : undefined;
}

function isListed(list: readonly string[], address: string): boolean {
  const lower = address.toLowerCase();
  return list.includes(lower) || list.includes(`*${lower.slice(lower.lastIndexOf('@'))}`);
}

export interface MailAllowance {
  environment: Environment;
  mailAllow: readonly string[] | undefined;
}

/** Returns whether mails to employees may go to an address. On staging only to those that MAIL_ALLOW lists. */
export const mayMailEmployee = ({ environment, mailAllow }: MailAllowance, address: string): boolean =>
  environment === 'production' || isListed(mailAllow ?? [], address);

/**
 * Returns whether mails to users of the portal may go to an address. Somebody has entered it by hand, so staging limits
 * them only if MAIL_ALLOW is set.
 */
export const mayMailUser = ({ environment, mailAllow }: MailAllowance, address: string): boolean =>
  environment === 'production' || mailAllow === undefined || isListed(mailAllow, address);
