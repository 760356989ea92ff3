import type { Translation } from '../../../app/i18n/texts.ts';
import type { en, errors as englishErrors } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Endpunkt',
  webhooks: 'Webhooks',
  test: 'Testereignis senden',
  more: 'Weitere Aktionen',
  edit: 'Bearbeiten',
  rotate: 'Signaturschlüssel erneuern',
  enable: 'Aktivieren',
  disable: 'Deaktivieren',
  remove: 'Löschen',

  about: 'Details',
  id: 'ID',
  url: 'URL',
  events: 'Ereignisse',
  allEvents: 'Alle Ereignisse',
  note: 'Beschreibung',
  created: 'Angelegt',
  previousSecret: 'Voriger Schlüssel',
  validUntil: 'signiert bis {time}',
  lastDay: 'Letzte 24 Stunden',

  disabledTitle: 'Dieser Endpunkt ist deaktiviert',
  disabledManual:
    'Es wird nichts an ihn gesendet. Wenn Sie ihn aktivieren, erhält er die Ereignisse der Zwischenzeit, die noch aufbewahrt werden.',
  disabledGone:
    'Ihr Server hat mit 410 Gone geantwortet. Aktivieren Sie den Endpunkt, sobald Ihr Server wieder Anfragen annimmt.',
  disabledFailing:
    'Fünf Tage lang sind alle Anfragen fehlgeschlagen. Beheben Sie die Ursache und aktivieren Sie dann den Endpunkt. Er erhält die Ereignisse, die noch aufbewahrt werden (30 Tage).',
  failingTitle: 'Anfragen schlagen fehl',
  failing:
    'Seit {time} war keine Anfrage erfolgreich. Wir versuchen es in wachsenden Abständen erneut. Das Protokoll zeigt die Antworten.',

  testTitle: 'Testereignis',
  testWaiting: 'Das Testereignis ist unterwegs.',
  testSucceeded: 'Ihr Server hat nach {duration} ms mit Status {status} geantwortet.',
  testFailed: 'Die Anfrage ist fehlgeschlagen: {error}. Wir versuchen es erneut.',
  testGaveUp: 'Die Anfrage ist fehlgeschlagen: {error}.',
  showDelivery: 'Anfrage und Antwort ansehen',

  rotateTitle: 'Signaturschlüssel erneuern?',
  rotateText:
    'Ein neuer Signaturschlüssel wird erzeugt. 24 Stunden lang werden Anfragen mit beiden Schlüsseln signiert. Ein noch älterer Schlüssel gilt sofort nicht mehr.',
  rotatedTitle: 'Neuen Signaturschlüssel jetzt kopieren',
  disableTitle: 'Diesen Endpunkt deaktivieren?',
  disableText:
    'Es wird nichts an ihn gesendet, bis Sie ihn wieder aktivieren. Ereignisse werden 30 Tage lang aufbewahrt.',
  disabled: 'Der Endpunkt wurde deaktiviert.',
  enabled: 'Der Endpunkt wurde aktiviert.',
  deleteTitle: 'Diesen Endpunkt löschen?',
  deleteText:
    'Sein Signaturschlüssel und sein Zustellprotokoll werden gelöscht. Ausstehende Anfragen werden nicht gesendet. Das kann nicht rückgängig gemacht werden.',
  deleted: 'Der Endpunkt wurde gelöscht.',
  saved: 'Der Endpunkt wurde geändert.',
  gone: 'Dieser Endpunkt wurde inzwischen gelöscht. Laden Sie die Seite neu.',
  isDisabled: 'Der Endpunkt wurde inzwischen deaktiviert. Aktivieren Sie ihn zuerst.',

  log: 'Zustellprotokoll',
  noDeliveries: 'Noch keine Zustellungen',
  noDeliveriesHint:
    'Zustellungen erscheinen hier, sobald ein Ereignis eintritt. Senden Sie zum Ausprobieren ein Testereignis.',
  states: 'Status',
  allStates: 'Alle',
  types: 'Ereignisse',
  attemptedIn: 'Nur Zustellungen, die innerhalb einer Stunde ab {hour} versucht wurden.',
  event: 'Ereignis',
  state: 'Status',
  response: 'Antwort',
  noResponse: 'Keine Antwort',
  when: 'Letzter Versuch',
  attempts: 'Versuche',
  duration: 'Dauer',
  detailsOf: '{event}, Nummer {sequence}',
  nextAttempt: 'Nächster Versuch {time}',

  deliveryTitle: 'Ereignis {sequence}: {event}',
  eventId: 'Ereignis-ID',
  sequence: 'Nummer',
  redeliver: 'Erneut senden',
  redelivered: 'Ereignis {sequence} wird erneut gesendet.',
  request: 'Anfrage',
  requestExpired: 'Das Ereignis wird nicht mehr aufbewahrt. Sein Inhalt kann nicht angezeigt werden.',
  attempt: 'Versuch {number}',
  noAttempts: 'Es gab noch keinen Versuch.',
  responseBody: 'Inhalt der Antwort (das erste KiB)',
  emptyBody: 'Die Antwort hatte keinen Inhalt.',

  replay: 'Bereich erneut senden',
  replayTitle: 'Einen Bereich von Ereignissen erneut senden',
  replayText:
    'Alle noch aufbewahrten Ereignisse des Bereichs, die dieser Endpunkt erhält, werden erneut gesendet, auch bereits zugestellte. Die Seite „Ereignisse“ zeigt die Nummer jedes Ereignisses.',
  from: 'Erste Nummer',
  to: 'Letzte Nummer',
  toHint: 'Ohne Angabe wird alles bis zum neuesten Ereignis gesendet.',
  wrongRange: 'Die letzte Nummer darf nicht kleiner als die erste sein.',
  replaySubmit: 'Erneut senden',
  replayed_one: 'Ein Ereignis wird erneut gesendet.',
  replayed_other: '{count} Ereignisse werden erneut gesendet.',
};

export const errors: Translation<typeof englishErrors> = {
  status: 'Status {status} statt 2xx',
  redirect: 'Status {status}: Weiterleitungen wird nicht gefolgt',
  timeout: 'keine Antwort innerhalb von 15 Sekunden',
  connectTimeout: 'die Verbindung kam nicht rechtzeitig zustande',
  refused: 'der Server hat die Verbindung abgelehnt',
  closed: 'der Server hat die Verbindung geschlossen',
  notFound: 'der Hostname konnte nicht aufgelöst werden',
  notPublic: 'der Host hat keine öffentliche Adresse',
  certificate: 'das TLS-Zertifikat ist nicht gültig ({code})',
  other: 'die Verbindung ist fehlgeschlagen ({code})',
};
