import type { Webhook } from '../../../../src/features/webhooks/contract.ts';

export type WebhookHealth = 'enabled' | 'failing' | 'disabled';

/** Returns the state of an endpoint, in which the last attempt counts. */
export const healthOf = ({ state, failingSince }: Webhook): WebhookHealth =>
  state === 'enabled' && failingSince !== null ? 'failing' : state;
