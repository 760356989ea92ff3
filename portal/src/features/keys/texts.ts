export const texts = {
  description: {
    de: 'Ihre Systeme rufen die API mit API-Schlüsseln auf. Vergeben Sie nur die nötigen Rechte.',
    en: 'Your systems use API keys to call the API. Give each key only the permissions it needs.',
  },
  create: { de: 'Schlüssel anlegen', en: 'Create key' },
  key: { de: 'Schlüssel', en: 'Key' },
  lastUsed: { de: 'Zuletzt verwendet', en: 'Last used' },
  expires: { de: 'Läuft ab', en: 'Expires' },
  copyUsername: { de: 'Benutzernamen von {name} kopieren', en: 'Copy username of {name}' },
  never: { de: 'Nie', en: 'Never' },
  overlap: { de: 'Das vorige Passwort gilt bis {time}.', en: 'The previous password is valid until {time}.' },
  meaning: { de: 'Rechte erklären', en: 'Explain permissions' },
  emptyTitle: { de: 'Noch keine API-Schlüssel', en: 'No API keys yet' },
  emptyHint: {
    de: 'Legen Sie einen Schlüssel an, kopieren Sie das Passwort und führen Sie den ersten API-Aufruf aus.',
    en: 'Create a key, copy its password and make your first API call.',
  },

  newTitle: { de: 'Neuer API-Schlüssel', en: 'New API key' },
  nameHint: {
    de: 'Wofür der Schlüssel verwendet wird, zum Beispiel „Lohnexport“.',
    en: 'What the key is used for, such as “Payroll export”.',
  },
  sets: { de: 'Vorauswahl', en: 'Presets' },
  hrSync: { de: 'HR-Abgleich', en: 'HR sync' },
  readEverything: { de: 'Alles lesen', en: 'Read everything' },
  permissionsHint: { de: 'Wählen Sie nur, was der Schlüssel braucht.', en: 'Select only what the key needs.' },
  reading: { de: 'Lesen', en: 'Read' },
  writing: { de: 'Ändern (durch Abgleich einer Personalliste)', en: 'Change (by syncing a roster)' },
  choose: { de: 'Wählen Sie mindestens ein Recht.', en: 'Select at least one permission.' },
  worksAfterApproval: {
    de: 'Einige Rechte dieses Schlüssels warten auf Freigabe durch die Administration. Bis dahin werden Anfragen, die sie brauchen, mit 403 abgelehnt.',
    en: 'Some permissions of this key are waiting for approval by an admin. Until then, requests that need them get 403.',
  },
  needsApproval: {
    de: 'Diese Rechte darf Ihre Rolle nicht vergeben: {permissions}. Die Administration muss sie auf dieser Seite freigeben. Bis dahin fehlen sie dem Schlüssel.',
    en: 'Your role cannot grant these permissions: {permissions}. An admin has to approve them on this page. Until then, the key does not have them.',
  },
  requested: {
    de: 'Wartet auf Freigabe durch die Administration: {permissions}',
    en: 'Waiting for approval by an admin: {permissions}',
  },
  approve: { de: 'Freigeben', en: 'Approve' },
  approveOf: { de: 'Rechte von {name} freigeben', en: 'Approve the permissions of {name}' },
  reject: { de: 'Ablehnen', en: 'Reject' },
  rejectOf: { de: 'Rechte von {name} ablehnen', en: 'Reject the permissions of {name}' },
  syncNeeds: {
    de: 'Für einen Abgleich braucht ein Schlüssel alle drei und „{permission}“.',
    en: 'To sync a roster, a key needs all three and “{permission}”.',
  },
  expiry: { de: 'Ablauf', en: 'Expiry' },
  days30: { de: 'In 30 Tagen', en: 'In 30 days' },
  days90: { de: 'In 90 Tagen', en: 'In 90 days' },
  year: { de: 'In einem Jahr', en: 'In one year' },
  date: { de: 'An einem bestimmten Datum', en: 'On a specific date' },
  dayHint: { de: 'Der Schlüssel gilt bis zum Ende dieses Tages.', en: 'The key is valid until the end of this day.' },
  chooseDay: { de: 'Wählen Sie einen Tag.', en: 'Select a day.' },

  createdTitle: { de: 'Passwort jetzt kopieren', en: 'Copy the password now' },
  createdHint: {
    de: 'Wir speichern das Passwort nicht. Geht es verloren, erneuern Sie es.',
    en: 'We do not store the password. If it is lost, rotate it.',
  },
  tryIt: { de: 'Ausprobieren', en: 'Try it' },
  tryHint: {
    de: 'Führen Sie diesen Befehl in einem Terminal aus. Er enthält das echte Passwort.',
    en: 'Run this command in a terminal. It contains the real password.',
  },
  done: { de: 'Ich habe es kopiert', en: 'I have copied it' },

  rotateTitle: { de: 'Passwort von „{name}“ erneuern', en: 'Rotate the password of “{name}”' },
  rotateHint: {
    de: 'Ein neues Passwort wird erzeugt. Der Benutzername bleibt gleich.',
    en: 'A new password is created. The username stays the same.',
  },
  overlapLabel: { de: 'Das bisherige Passwort gilt noch', en: 'The current password remains valid' },
  hours0: { de: 'gar nicht (es verfällt sofort)', en: 'not at all (it expires immediately)' },
  hours1: { de: '1 Stunde', en: 'for 1 hour' },
  hours24: { de: '24 Stunden', en: 'for 24 hours' },
  hours168: { de: '7 Tage', en: 'for 7 days' },
  stopsNow: {
    de: 'Anfragen mit dem bisherigen Passwort werden sofort abgewiesen.',
    en: 'Requests with the current password will be rejected immediately.',
  },
  replaced: {
    de: 'Das vorletzte Passwort, gültig bis {time}, verfällt sofort.',
    en: 'The password before the current one, valid until {time}, expires immediately.',
  },

  revokeTitle: { de: '„{name}“ widerrufen?', en: 'Revoke “{name}”?' },
  revokeText: {
    de: 'Anfragen mit dem Benutzernamen {username} werden abgewiesen. Das kann nicht rückgängig gemacht werden.',
    en: 'Requests with username {username} will be rejected. This cannot be undone.',
  },
  revokeUsed: { de: 'Zuletzt verwendet: {time}.', en: 'Last used {time}.' },
  revokeUnused: { de: 'Dieser Schlüssel wurde noch nie verwendet.', en: 'This key has never been used.' },
  revokeSubmit: { de: 'Schlüssel widerrufen', en: 'Revoke key' },
  revoked: { de: '„{name}“ wurde widerrufen.', en: '“{name}” has been revoked.' },
  gone: {
    de: 'Dieser Schlüssel wurde inzwischen widerrufen. Laden Sie die Seite neu.',
    en: 'This key has been revoked in the meantime. Reload the page.',
  },
} as const;
