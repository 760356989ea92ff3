import type { Health } from './health.ts';

interface HealthTexts {
  /** Describes the state. */
  says: Record<Health, string>;
  /** What to do about it, or null if nothing needs to be done. */
  todo: Record<Health, string | null>;
}

export type { HealthTexts };

export const en: HealthTexts = {
  says: {
    healthy: 'Healthy: employees are kept up to date.',
    'first-sync': 'Ready: it waits for its first roster.',
    'partially-failed': 'The last sync was applied in part.',
    incomplete: 'The connection to the HR system is not set up yet.',
    invalid: 'The HR system no longer lets us in. Employees are not kept up to date.',
    failed: 'The last sync failed. Nothing of it was applied.',
    'authentication-failed': 'The HR system refused the sign-in at the last sync.',
    inactive: 'Switched off: no roster is accepted, and employees stay as they are.',
  },
  todo: {
    healthy: null,
    'first-sync': 'Send a roster through the API, or upload one here.',
    'partially-failed': 'Open the last sync: it says which entries failed and why, and whether removals wait for you.',
    incomplete: 'Finish the setup in your HR system, or ask us to. No roster is accepted before that.',
    invalid: 'Renew the access in your HR system, then switch the integration on again.',
    failed: 'Open the last sync to see why, then send the same roster again: that is always safe.',
    'authentication-failed': 'Renew the access in your HR system. The next sync shows whether it worked.',
    inactive: 'Switch it on when rosters are to be accepted again.',
  },
};
