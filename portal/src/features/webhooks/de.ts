import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Webhooks',
  description: 'Bei jeder Änderung senden wir eine signierte Anfrage an Ihren Server.',
  list: 'Endpunkte',
  guide: 'Anleitung lesen',
  create: 'Endpunkt anlegen',
  emptyTitle: 'Noch keine Endpunkte',
  emptyHint:
    'Geben Sie die Adresse Ihres Servers an. Er erfährt dann innerhalb von Sekunden von neuen Beschäftigten, geänderten Abos, Tickets und Posten, ohne die API abzufragen.',
  emptyHintViewer:
    'Ihre Rolle kann keine Endpunkte anlegen. Wenden Sie sich an die Administration oder Entwicklung Ihres Unternehmens.',

  events: 'Ereignisse',
  allEvents: 'Alle Ereignisse',
  typeCount_one: 'Eine Art von Ereignissen',
  typeCount_other: '{count} Arten von Ereignissen',
  lastDay: 'Letzte 24 Stunden',
  rate_one: '{percent} % von einem Versuch erfolgreich',
  rate_other: '{percent} % von {count} Versuchen erfolgreich',
  noAttempts: 'Keine Versuche in den letzten 24 Stunden',
  succeeded: 'Erfolgreich',
  failed: 'Fehlgeschlagen',

  newTitle: 'Neuer Endpunkt',
  editTitle: 'Endpunkt bearbeiten',
  url: 'URL',
  urlHint: 'Die Adresse Ihres Servers, zum Beispiel https://example.com/webhooks.',
  types: 'Ereignisse',
  typesHint: 'Ohne Auswahl werden alle Ereignisse gesendet, auch solche, deren Art erst später hinzukommt.',
  note: 'Beschreibung',
  noteHint: 'Wofür der Endpunkt verwendet wird, zum Beispiel „Lohnabrechnung“. Freiwillig.',
  submit: 'Endpunkt anlegen',
  save: 'Speichern',
  tooMany: 'Ihr Unternehmen hat bereits 20 Endpunkte. Löschen Sie einen, den Sie nicht mehr brauchen.',

  urlNotUrl: 'Geben Sie eine vollständige URL ein, zum Beispiel https://example.com/webhooks.',
  urlNotHttps: 'Die URL muss mit https:// beginnen.',
  urlCredentials:
    'Die URL darf weder Benutzernamen noch Passwort enthalten. Ihr Server prüft stattdessen die Signatur.',
  urlFragment: 'Entfernen Sie das # und alles danach.',
  urlPort: 'Der Port muss 443 sein oder zwischen 1024 und 65535 liegen.',
  urlPrivate: 'Die Adresse ist nicht öffentlich. Geben Sie einen Host an, der aus dem Internet erreichbar ist.',
  urlTooLong: 'Die URL ist zu lang.',

  createdTitle: 'Signaturschlüssel jetzt kopieren',
  createdHint:
    'Mit dem Signaturschlüssel prüft Ihr Server, ob eine Anfrage von uns kommt. Geht er verloren, erneuern Sie ihn.',
  rotatedHint:
    '24 Stunden lang werden Anfragen mit dem neuen und dem bisherigen Schlüssel signiert. Ersetzen Sie ihn in dieser Zeit auf Ihrem Server.',
  secret: 'Signaturschlüssel',
  next: 'Nächste Schritte',
  stepStore: 'Bewahren Sie den Schlüssel auf Ihrem Server wie ein Passwort auf.',
  stepVerify: 'Prüfen Sie damit jede Anfrage. Die Anleitung enthält einen Empfänger mit 20 Zeilen.',
  stepTest: 'Senden Sie von der Seite des Endpunkts ein Testereignis.',
  done: 'Ich habe ihn kopiert',
};
