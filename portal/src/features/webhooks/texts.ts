export const texts = {
  create: { de: 'Endpunkt anlegen', en: 'Add endpoint' },
  description: {
    de: 'Bei jeder Änderung senden wir eine signierte Anfrage an Ihren Server.',
    en: 'When something changes, we send a signed request to your server.',
  },
  list: { de: 'Endpunkte', en: 'Endpoints' },
  emptyTitle: { de: 'Noch keine Endpunkte', en: 'No endpoints yet' },
  emptyHint: {
    de: 'Geben Sie die Adresse Ihres Servers an. Er erfährt dann innerhalb von Sekunden von neuen Beschäftigten, geänderten Abos, Tickets und Posten, ohne die API abzufragen.',
    en: 'Add the address of your server. It then learns of new employees, changed subscriptions, tickets and charges within seconds, without polling the API.',
  },
  emptyHintViewer: {
    de: 'Ihre Rolle kann keine Endpunkte anlegen. Wenden Sie sich an die Administration oder Entwicklung Ihres Unternehmens.',
    en: 'Your role cannot add endpoints. Contact an admin or a developer of your company.',
  },

  id: { de: 'ID', en: 'ID' },
  previousSecret: { de: 'Voriger Schlüssel', en: 'Previous secret' },
  validUntil: { de: 'signiert bis {time}', en: 'signs until {time}' },
  typeCount_one: { de: 'Eine Art von Ereignissen', en: 'One type of event' },
  typeCount_other: { de: '{count} Arten von Ereignissen', en: '{count} types of events' },
  rate_one: { de: '{percent} % von einem Versuch erfolgreich', en: '{percent} % of one attempt succeeded' },
  rate_other: { de: '{percent} % von {count} Versuchen erfolgreich', en: '{percent} % of {count} attempts succeeded' },
  noAttempts: { de: 'Keine Versuche in den letzten 24 Stunden', en: 'No attempts in the last 24 hours' },
  failed: { de: 'Fehlgeschlagen', en: 'Failed' },

  newTitle: { de: 'Neuer Endpunkt', en: 'New endpoint' },
  editTitle: { de: 'Endpunkt bearbeiten', en: 'Edit endpoint' },
  urlHint: {
    de: 'Die Adresse Ihres Servers, zum Beispiel https://example.com/webhooks.',
    en: 'The address of your server, such as https://example.com/webhooks.',
  },
  typesHint: {
    de: 'Ohne Auswahl werden alle Ereignisse gesendet, auch solche, deren Art erst später hinzukommt.',
    en: 'Leave empty to receive all events, also those of types that are added later.',
  },
  noteHint: {
    de: 'Wofür der Endpunkt verwendet wird, zum Beispiel „Lohnabrechnung“. Freiwillig.',
    en: 'What the endpoint is used for, such as “Payroll”. Optional.',
  },
  save: { de: 'Speichern', en: 'Save' },
  tooMany: {
    de: 'Ihr Unternehmen hat bereits 20 Endpunkte. Löschen Sie einen, den Sie nicht mehr brauchen.',
    en: 'Your company has 20 endpoints already. Delete one that you no longer need.',
  },

  createdTitle: { de: 'Signaturschlüssel jetzt kopieren', en: 'Copy the secret now' },
  createdHint: {
    de: 'Mit dem Signaturschlüssel prüft Ihr Server, ob eine Anfrage von uns kommt. Geht er verloren, erneuern Sie ihn.',
    en: 'Your server uses the signing secret to verify that a request comes from us. If it is lost, rotate it.',
  },
  rotatedHint: {
    de: '24 Stunden lang werden Anfragen mit dem neuen und dem bisherigen Schlüssel signiert. Ersetzen Sie ihn in dieser Zeit auf Ihrem Server.',
    en: 'For 24 hours, requests are signed with the new and the previous secret. Replace the secret on your server within this time.',
  },
  secret: { de: 'Signaturschlüssel', en: 'Signing secret' },
  stepStore: {
    de: 'Bewahren Sie den Schlüssel auf Ihrem Server wie ein Passwort auf.',
    en: 'Store the secret on your server like a password.',
  },
  stepVerify: {
    de: 'Prüfen Sie damit jede Anfrage. Die Anleitung enthält einen Empfänger mit 20 Zeilen.',
    en: 'Verify every request with it. The guide has a receiver of 20 lines.',
  },
  stepTest: {
    de: 'Senden Sie von der Seite des Endpunkts ein Testereignis.',
    en: 'Send a test event from the page of the endpoint.',
  },
  done: { de: 'Ich habe ihn kopiert', en: 'I have copied it' },
} as const;

const notHttps = { de: 'Die URL muss mit https:// beginnen.', en: 'The URL must start with https://.' } as const;

/** What is wrong with a URL, by the key of the service's message. */
export const urlProblems = {
  'url-not-url': {
    de: 'Geben Sie eine vollständige URL ein, zum Beispiel https://example.com/webhooks.',
    en: 'Enter a complete URL such as https://example.com/webhooks.',
  },
  'url-not-https': notHttps,
  'url-not-https-in-production': notHttps,
  'url-credentials': {
    de: 'Die URL darf weder Benutzernamen noch Passwort enthalten. Ihr Server prüft stattdessen die Signatur.',
    en: 'The URL must not contain a username or password. Your server verifies the signature instead.',
  },
  'url-fragment': { de: 'Entfernen Sie das # und alles danach.', en: 'Remove the # and everything after it.' },
  'url-port': {
    de: 'Der Port muss 443 sein oder zwischen 1024 und 65535 liegen.',
    en: 'The port must be 443 or from 1024 to 65535.',
  },
  'url-private': {
    de: 'Die Adresse ist nicht öffentlich. Geben Sie einen Host an, der aus dem Internet erreichbar ist.',
    en: 'The address is not public. Enter a host that can be reached from the Internet.',
  },
  'value-too-long': { de: 'Die URL ist zu lang.', en: 'The URL is too long.' },
} as const;
