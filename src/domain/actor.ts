import type { ActorType } from './enums.ts';

/** Who makes a change. */
export interface Actor {
  type: ActorType;
  /**
   * The username of a key or the id of a user. Null for the operator at the command line and for the service itself.
   */
  name: string | null;
}

/** The operator at the command line. */
export const operator: Actor = { type: 'operator', name: null };

/** The service itself. */
export const service: Actor = { type: 'service', name: null };
