export const texts = {
  description: {
    de: 'Was Ihre Systeme in den letzten 7 Tagen von der API angefragt haben. Inhalte und Werte von Parametern werden nicht gespeichert. Die Zeiten sind Echtzeit.',
    en: 'What your systems requested from the API in the last 7 days. Bodies and values of parameters are not stored. Times are real time.',
  },
  refresh: { de: 'Aktualisieren', en: 'Refresh' },
  older: { de: 'Ältere Anfragen anzeigen', en: 'Show older requests' },
  end: { de: 'Das sind alle Anfragen.', en: 'These are all requests.' },
  shown_one: { de: '{count} Anfrage angezeigt', en: '{count} request shown' },
  shown_other: { de: '{count} Anfragen angezeigt', en: '{count} requests shown' },

  '2xx': { de: 'Erfolgreich (2xx)', en: 'Succeeded (2xx)' },
  '3xx': { de: 'Unverändert (3xx)', en: 'Unchanged (3xx)' },
  '4xx': { de: 'Abgewiesen (4xx)', en: 'Refused (4xx)' },
  '5xx': { de: 'Fehlgeschlagen (5xx)', en: 'Failed (5xx)' },
  method: { de: 'Methode', en: 'Method' },
  path: { de: 'Pfad', en: 'Path' },
  pathHint: { de: 'etwa /employees', en: 'such as /employees' },
  requestIdHint: { de: 'Header X-Request-Id', en: 'Header X-Request-Id' },
  wrongId: {
    de: 'Das ist keine Anfrage-ID. Sie steht im Header X-Request-Id und im Feld requestId einer Fehlermeldung.',
    en: 'Not a request ID. Copy it from the header X-Request-Id or from the field requestId of a problem.',
  },

  when: { de: 'Zeit', en: 'Time' },
  request: { de: 'Anfrage', en: 'Request' },
  milliseconds: { de: '{ms} ms', en: '{ms} ms' },
  problem: { de: 'Fehler', en: 'Problem' },
  linkTo: { de: 'Link zur Anfrage {id}', en: 'Link to request {id}' },
  copyId: { de: 'Anfrage-ID kopieren', en: 'Copy request ID' },
  emptyTitle: { de: 'Noch keine Anfragen', en: 'No requests yet' },
  emptyHint: {
    de: 'Eine Anfrage erscheint hier etwa eine Sekunde nach ihrer Antwort.',
    en: 'Requests appear here about a second after their response.',
  },
  toGettingStarted: { de: 'Erste Anfrage senden', en: 'Make the first request' },
} as const;
