import type { SubscriptionStatus } from '../../../../src/domain/enums.ts';

/** Colours for charts, where neighbours must differ more than badges do. */
export const statusColours: Record<SubscriptionStatus, string> = {
  active: 'rail.6',
  scheduled: 'blue.5',
  'scheduled-pause': 'yellow.5',
  paused: 'yellow.7',
  'scheduled-cancellation': 'orange.6',
  cancelled: 'gray.6',
  'no-subscription': 'gray.4',
};
