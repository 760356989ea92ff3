import { texts as keys } from '../texts.ts';

export const texts = {
  ...keys,
  about: { de: 'Zu diesem Schlüssel', en: 'About this key' },
  copyUsername: { de: 'Benutzernamen kopieren', en: 'Copy username' },
  creator: { de: 'Angelegt von', en: 'Created by' },
  operator: { de: 'Betreiber', en: 'Operator' },
  lastAddress: { de: 'Letzte IP-Adresse', en: 'Last IP address' },
  lastAddressHint: { de: 'Wird 30 Tage gespeichert', en: 'Kept for 30 days' },
  unknown: { de: 'Unbekannt', en: 'Unknown' },
  previousPassword: { de: 'Voriges Passwort', en: 'Previous password' },
  validUntil: { de: 'Gültig bis {time}', en: 'Valid until {time}' },
  revokedAt: { de: 'Widerrufen', en: 'Revoked' },

  usage: { de: 'Anfragen pro Tag', en: 'Requests per day' },
  usageDays: { de: 'Letzte 30 Tage', en: 'Last 30 days' },
  total_one: { de: '{count} Anfrage', en: '{count} request' },
  total_other: { de: '{count} Anfragen', en: '{count} requests' },
  refused: { de: '{count} abgewiesen (4xx)', en: '{count} refused (4xx)' },
  failed: { de: '{count} fehlgeschlagen (5xx)', en: '{count} failed (5xx)' },
  clientErrors: { de: 'Abgewiesen (4xx)', en: 'Refused (4xx)' },
  serverErrors: { de: 'Fehlgeschlagen (5xx)', en: 'Failed (5xx)' },
  unused: { de: 'Keine Anfragen in den letzten 30 Tagen.', en: 'No requests in the last 30 days.' },
  showRequests: { de: 'Anfragen anzeigen', en: 'Show requests' },

  editTitle: { de: '„{name}“ bearbeiten', en: 'Edit “{name}”' },
  editHint: {
    de: 'Änderungen gelten ab der nächsten Anfrage. Das Passwort bleibt gleich.',
    en: 'Changes apply to the next request. The password stays the same.',
  },
  save: { de: 'Speichern', en: 'Save' },
  saved: { de: '„{name}“ wurde geändert.', en: '“{name}” has been changed.' },
} as const;
