export const texts = {
  description: {
    de: 'In drei Schritten vom API-Schlüssel zum ersten Abgleich. Erledigte Schritte sind abgehakt.',
    en: 'From the API key to the first roster sync in three steps. Completed steps are ticked.',
  },
  progress: { de: '{done} von {all} erledigt', en: '{done} of {all} completed' },
  done: { de: 'Erledigt', en: 'Done' },
  open: { de: 'Offen', en: 'To do' },
  baseUrl: { de: 'Basis-URL', en: 'Base URL' },
  productionUrl: {
    de: 'Produktion: {url}, mit eigenen Schlüsseln und Daten.',
    en: 'Production: {url}, with its own keys and data.',
  },
  stagingUrl: {
    de: 'Zum Testen nutzen Sie Staging: {url}, mit eigenen Schlüsseln und Daten.',
    en: 'For tests, use staging: {url}, with its own keys and data.',
  },
  baseUrlHint: {
    de: 'Alle API-Adressen beginnen mit dieser URL. Sie gilt nur für diese Umgebung.',
    en: 'All API addresses start with this URL. It is specific to this environment.',
  },

  keyTitle: { de: 'API-Schlüssel anlegen', en: 'Create an API key' },
  keyText: {
    de: 'Ein API-Schlüssel besteht aus Benutzername und Passwort. Senden Sie beides mit jeder Anfrage (HTTP Basic). Das Passwort wird nur einmal angezeigt.',
    en: 'An API key consists of a username and a password. Send both with every request (HTTP Basic authentication). The password is shown only once.',
  },
  keyDone: { de: 'Sie haben einen aktiven API-Schlüssel.', en: 'You have an active API key.' },

  callTitle: { de: 'Ersten API-Aufruf ausführen', en: 'Make your first API call' },
  callText: {
    de: 'Dieser Aufruf funktioniert mit jedem API-Schlüssel und liefert dessen Angaben. Setzen Sie Ihr Passwort ein:',
    en: 'This call works with every API key and returns its details. Replace the password with yours:',
  },
  callCode: { de: 'Erster Aufruf', en: 'First call' },
  callMore: {
    de: 'Rufen Sie dann Daten ab, zum Beispiel die ersten Beschäftigten:',
    en: 'Next, read some data, such as the first employees:',
  },
  callMoreCode: { de: 'Beschäftigte abrufen', en: 'Read employees' },
  callDone: { de: 'Ein API-Schlüssel wurde zuletzt {time} verwendet.', en: 'An API key was last used {time}.' },
  callPending: {
    de: 'Dieser Schritt wird automatisch abgehakt, sobald ein API-Schlüssel verwendet wird.',
    en: 'This step is ticked automatically as soon as an API key is used.',
  },

  syncText: {
    de: 'Ihr HR-System sendet die vollständige Liste der Beschäftigten. Der Abgleich ermittelt, wer neu ist, wer sich geändert hat und wer ausgeschieden ist.',
    en: 'Your HR system sends the complete list of employees. We work out who is new, who has changed and who has left.',
  },
  integrationDone: { de: 'Die Beispiele verwenden „{name}“ (ID {id}).', en: 'The examples use “{name}” (ID {id}).' },
  integrationOpen: {
    de: 'Legen Sie zuerst eine API-Integration an. Ihre ID ist Teil der Adresse.',
    en: 'Create an API integration first. Its ID is part of the address.',
  },
  rosterTitle: { de: 'Personalliste', en: 'Roster' },
  rosterText: {
    de: 'Speichern Sie diese Datei als `roster.json`, oder tragen Sie Ihre eigenen Beschäftigten ein.',
    en: 'Save this file as `roster.json`, or use your own employees.',
  },
  previewText: {
    de: 'Mit `dryRun=true` meldet der Abgleich, was er tun würde, und ändert nichts.',
    en: 'With `dryRun=true`, the sync reports what it would do and changes nothing.',
  },
  previewCode: { de: 'Abgleich als Vorschau', en: 'Preview a sync' },
  pushText: {
    de: 'Dieselbe Anfrage ohne `dryRun`. Status 204 bedeutet: Die Personalliste ist gespeichert und wird im Hintergrund übernommen.',
    en: 'The same request without `dryRun`. Status 204 means that the roster is stored and will be applied in the background.',
  },
  pushCode: { de: 'Personalliste abgleichen', en: 'Sync a roster' },
  pushDone: { de: 'Die letzte Personalliste wurde {time} übernommen.', en: 'The last roster was applied {time}.' },
  warning: {
    de: 'Senden Sie immer die vollständige Personalliste: Fehlende Beschäftigte werden abgemeldet. Senden Sie dieses Beispiel nicht an eine Integration, die bereits Beschäftigte enthält.',
    en: 'Always send the complete roster: employees who are missing are offboarded. Do not send this example to an integration that already has employees.',
  },
  permissionsHint: {
    de: 'Der API-Schlüssel braucht die Rechte der Vorauswahl „HR-Abgleich“.',
    en: 'The API key needs the permissions of the preset “HR sync”.',
  },
  upload: { de: 'Datei hochladen', en: 'Upload a file' },
  uploadHint: {
    de: 'Lieber ohne Code? Laden Sie eine Excel- oder CSV-Datei hoch, prüfen Sie die Vorschau und übernehmen Sie die Daten.',
    en: 'Prefer not to write code? Upload an Excel or CSV file, check the preview and apply it.',
  },

  nextTitle: { de: 'Weiterführende Dokumentation', en: 'Further reading' },
  referenceHint: {
    de: 'Alle Operationen mit curl-Befehlen zum Einfügen (englisch).',
    en: 'All operations, with curl commands that you can paste.',
  },
  guideHint: {
    de: 'Die Anleitung: alle Felder, Schutz vor Massenabmeldungen, sicheres Wiederholen (englisch).',
    en: 'The guide: all fields, protection against mass removals, safe retries.',
  },
  errors: { de: 'Fehler', en: 'Errors' },
  errorsHint: { de: 'Alle Fehlercodes und ihre Behebung (englisch).', en: 'All error codes and how to fix them.' },
} as const;
