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
    approval: 'The last sync was applied, except removals that wait for approval.',
    overdue: 'The roster is overdue: usually it would have arrived by now.',
    incomplete: 'The connection to the HR system is not set up yet.',
    invalid: 'The HR system no longer grants access. Employees are not kept up to date.',
    'no-key':
      'No API key can send rosters: the last one was revoked or has expired. Employees are not kept up to date.',
    failed: 'The last sync failed. None of its changes were applied.',
    'authentication-failed': 'The HR system rejected the sign-in during the last sync.',
    inactive: 'Inactive. Rosters are rejected, and employees stay unchanged.',
  },
  todo: {
    healthy: null,
    'first-sync': 'Send a roster through the API, or upload one here.',
    'partially-failed': 'Open the last sync to see which entries failed.',
    approval: 'Open the last sync, and offboard or keep the employees.',
    overdue: 'Check whether your HR system still sends rosters. Employees stay as they are meanwhile.',
    incomplete: 'Finish the setup. Until then, rosters are rejected.',
    invalid: 'Create new credentials in your HR system, then reconnect the integration.',
    'no-key':
      'Create an API key with all four permissions for employees and enter it in your HR system, or upload the roster here. The integration is then active again.',
    failed: 'Open the last sync to see the cause, then send the same roster again. Sending it twice does no harm.',
    'authentication-failed':
      'It is tried again within the hour. If the credentials were revoked, create new ones and reconnect the integration.',
    inactive: 'Activate the integration to accept rosters again.',
  },
};
