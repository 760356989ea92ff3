import type { ActorType } from '../enums.ts';
import type { Cause } from './transitions.ts';

export const changeSources = ['sync', 'absence', 'contract', 'user', 'calendar'] as const;
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
  cancel: 'user',
  pause: 'user',
  resume: 'user',
  calendar: 'calendar',
};

/** Returns the source of a cause. Users and the operator change without a sync what rosters change too. */
export const sourceOf = (cause: Cause, actor: ActorType, isSync: boolean): ChangeSource =>
  sources[cause] === 'sync' && !isSync && (actor === 'user' || actor === 'operator') ? 'user' : sources[cause];
