import type { EmployeeMailKind } from '../../../domain/enums.ts';
import { isOptional } from './kinds.ts';

/** What is known of a mail and its employee when it is to be sent. */
export interface SendingFacts {
  kind: EmployeeMailKind;
  /** The address when the mail was written. Null: it goes to the address of now. */
  recipient: string | null;
  email: string;
  isRemoved: boolean;
  switchedOff: readonly string[];
  switchedOffByCompany: readonly string[];
}

const isSameAddress = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Returns why a mail is not to be sent any more, or undefined. Much may change between writing and sending. */
export function findObstacle(facts: SendingFacts): 'new-address' | 'removed' | 'switched-off' | undefined {
  const { kind, recipient, email, isRemoved, switchedOff, switchedOffByCompany } = facts;
  if (recipient !== null && !isSameAddress(recipient, email)) return 'new-address';
  if (switchedOffByCompany.includes(kind)) return 'switched-off';
  if (!isOptional(kind)) return undefined;
  if (isRemoved) return 'removed';
  return switchedOff.includes(kind) ? 'switched-off' : undefined;
}
