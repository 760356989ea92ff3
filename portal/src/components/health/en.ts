import type { Health } from './health.ts';

interface HealthTexts {
  /** Describes the state. */
  description: Record<Health, string>;
  /** What to do about it, or null if nothing needs to be done. */
  todo: Record<Health, string | null>;
}

export type { HealthTexts };

export const en: HealthTexts = {
  description: {
    healthy: 'Healthy. Employees are kept up to date.',
    'first-sync': 'Ready for the first roster.',
    'partially-failed': 'The last sync was only partially applied.',
    incomplete: 'The connection to the HR system is not set up yet.',
    invalid: 'The HR system no longer grants access. Employees are not kept up to date.',
    failed: 'The last sync failed. None of its changes were applied.',
    'authentication-failed': 'The HR system rejected the sign-in during the last sync.',
    inactive: 'Inactive. Rosters are rejected, and employees stay unchanged.',
  },
  todo: {
    healthy: null,
    'first-sync': 'Send a roster through the API, or upload one here.',
    'partially-failed': 'Open the last sync to see which entries failed and whether removals require your approval.',
    incomplete: 'Finish the setup in your HR system, or contact us. Until then, rosters are rejected.',
    invalid: 'Renew the access in your HR system, then activate the integration again.',
    failed: 'Open the last sync to see the cause, then send the same roster again. Sending it twice does no harm.',
    'authentication-failed': 'Renew the access in your HR system. The next sync shows whether it worked.',
    inactive: 'Activate the integration to accept rosters again.',
  },
};
