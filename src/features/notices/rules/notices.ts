import type { Role } from '../../../domain/enums.ts';
import { type Ability, isAble } from '../../../domain/roles.ts';

/** The notices by mail, each with the ability of those who receive it: users who can do something about it. */
const abilityOfNotice = {
  'removals-waiting': 'removals',
  'sync-failed': 'syncs',
  'roster-overdue': 'syncs',
  'key-expiring': 'keys',
  'webhook-disabled': 'webhooks',
  'ticket-differences': 'decisions',
  'month-billed': 'invoice-files',
  'price-changes': 'policies',
} as const satisfies Record<string, Ability>;

export type NoticeName = keyof typeof abilityOfNotice;
export const noticeNames = Object.keys(abilityOfNotice) as NoticeName[];

/** Returns the notices that somebody with these roles receives. */
export const noticesOf = (held: readonly Role[]): NoticeName[] =>
  noticeNames.filter((name) => isAble(held, abilityOfNotice[name]));
