import type { ActorType } from '../enums.ts';
import type { Cause } from './transitions.ts';

/** Where a change of a subscription comes from, in the five words that people ask with. */
export const changeSources = ['sync', 'absence', 'contract', 'person', 'calendar'] as const;
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
  cancel: 'person',
  'person-pause': 'person',
  'person-resume': 'person',
  calendar: 'calendar',
};

/** A roster subscribes people, and so does a person; everything else has one source only. */
export const sourceOf = (cause: Cause, actor: ActorType): ChangeSource =>
  cause === 'subscribe' && (actor === 'person' || actor === 'operator') ? 'person' : sources[cause];
