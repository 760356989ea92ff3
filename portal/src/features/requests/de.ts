import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Anfragen',
  description:
    'Was Ihre Systeme in den letzten 7 Tagen von der API angefragt haben. Inhalte und Werte von Parametern werden nicht gespeichert. Die Zeiten sind Echtzeit.',
  list: 'Anfragen',
  refresh: 'Aktualisieren',
  older: 'Ältere Anfragen anzeigen',
  end: 'Das sind alle Anfragen.',
  shown_one: '{count} Anfrage angezeigt',
  shown_other: '{count} Anfragen angezeigt',

  filters: 'Filter',
  key: 'API-Schlüssel',
  allKeys: 'Alle',
  status: 'Status',
  allStatuses: 'Alle',
  '2xx': 'Erfolgreich (2xx)',
  '3xx': 'Unverändert (3xx)',
  '4xx': 'Abgewiesen (4xx)',
  '5xx': 'Fehlgeschlagen (5xx)',
  method: 'Methode',
  allMethods: 'Alle',
  path: 'Pfad',
  pathHint: 'etwa /employees',
  requestId: 'Anfrage-ID',
  requestIdHint: 'Header X-Request-Id',
  wrongId: 'Das ist keine Anfrage-ID. Sie steht im Header X-Request-Id und im Feld requestId einer Fehlermeldung.',

  when: 'Zeit',
  request: 'Anfrage',
  duration: 'Dauer',
  milliseconds: '{ms} ms',
  problem: 'Fehler',
  linkTo: 'Link zur Anfrage {id}',
  copyId: 'Anfrage-ID kopieren',
  emptyTitle: 'Noch keine Anfragen',
  emptyHint: 'Eine Anfrage erscheint hier etwa eine Sekunde nach ihrer Antwort.',
  toGettingStarted: 'Erste Anfrage senden',
};
