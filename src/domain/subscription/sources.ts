import type { ActorType } from '../enums.ts';
import type { Cause } from './transitions.ts';

export const changeSources = ['sync', 'absence', 'contract', 'user', 'employee', 'key', 'calendar'] as const;
export type ChangeSource = (typeof changeSources)[number];

const sources: Record<Cause, ChangeSource> = {
  termination: 'sync',
  'termination-withdrawn': 'sync',
  offboard: 'sync',
  return: 'sync',
  'opt-out': 'sync',
  subscribe: 'sync',
  start: 'sync',
  'not-subscribed': 'sync',
  absence: 'absence',
  'absence-withdrawn': 'absence',
  'contract-accepted': 'contract',
  'contract-rejected': 'contract',
  'plan-change': 'contract',
  cancel: 'user',
  pause: 'user',
  resume: 'user',
  undo: 'user',
  calendar: 'calendar',
};

/** Who asks for changes. The operator acts like a user. */
const askers: Partial<Record<ActorType, ChangeSource>> = {
  user: 'user',
  operator: 'user',
  employee: 'employee',
  key: 'key',
};

/** Returns the source of a cause. Without a sync, somebody has asked for what rosters change too. */
export function sourceOf(cause: Cause, actor: ActorType, isSync: boolean): ChangeSource {
  const source = sources[cause];
  const isAsked = source === 'user' || (source === 'sync' && !isSync);
  return isAsked ? (askers[actor] ?? source) : source;
}
