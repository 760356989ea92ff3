export const texts = {
  title: { de: 'Endpunkt', en: 'Endpoint' },
  test: { de: 'Testereignis senden', en: 'Send test event' },
  more: { de: 'Weitere Aktionen', en: 'More actions' },
  rotate: { de: 'Signaturschlüssel erneuern', en: 'Rotate secret' },
  enable: { de: 'Aktivieren', en: 'Enable' },
  disable: { de: 'Deaktivieren', en: 'Disable' },

  disabledTitle: { de: 'Dieser Endpunkt ist deaktiviert', en: 'This endpoint is disabled' },
  disabledManual: {
    de: 'Es wird nichts an ihn gesendet. Wenn Sie ihn aktivieren, erhält er die Ereignisse der Zwischenzeit, die noch aufbewahrt werden.',
    en: 'Nothing is sent to it. If you enable it, it receives the events of the meantime that are still kept.',
  },
  disabledGone: {
    de: 'Ihr Server hat mit 410 Gone geantwortet. Aktivieren Sie den Endpunkt, sobald Ihr Server wieder Anfragen annimmt.',
    en: 'Your server responded with 410 Gone. Enable the endpoint once your server accepts requests again.',
  },
  disabledFailing: {
    de: 'Fünf Tage lang sind alle Anfragen fehlgeschlagen. Beheben Sie die Ursache und aktivieren Sie dann den Endpunkt. Er erhält die Ereignisse, die noch aufbewahrt werden (30 Tage).',
    en: 'All requests failed for five days. Correct the cause, then enable the endpoint. It receives the events that are still kept (30 days).',
  },
  failingTitle: { de: 'Anfragen schlagen fehl', en: 'Requests are failing' },
  failing: {
    de: 'Seit {time} war keine Anfrage erfolgreich. Wir versuchen es in wachsenden Abständen erneut. Das Protokoll zeigt die Antworten.',
    en: 'No request has succeeded since {time}. We try again with growing delays. The log shows the responses.',
  },

  testTitle: { de: 'Testereignis', en: 'Test event' },
  testWaiting: { de: 'Das Testereignis ist unterwegs.', en: 'The test event is on its way.' },
  testSucceeded: {
    de: 'Ihr Server hat nach {duration} ms mit Status {status} geantwortet.',
    en: 'Your server responded with status {status} after {duration} ms.',
  },
  testFailed: {
    de: 'Die Anfrage ist fehlgeschlagen: {error}. Wir versuchen es erneut.',
    en: 'The request failed: {error}. We will try again.',
  },
  testGaveUp: { de: 'Die Anfrage ist fehlgeschlagen: {error}.', en: 'The request failed: {error}.' },
  showDelivery: { de: 'Anfrage und Antwort ansehen', en: 'View request and response' },

  rotateTitle: { de: 'Signaturschlüssel erneuern?', en: 'Rotate the secret?' },
  rotateText: {
    de: 'Ein neuer Signaturschlüssel wird erzeugt. 24 Stunden lang werden Anfragen mit beiden Schlüsseln signiert. Ein noch älterer Schlüssel gilt sofort nicht mehr.',
    en: 'A new signing secret is created. For 24 hours, requests are signed with both secrets. An even older secret stops working immediately.',
  },
  rotatedTitle: { de: 'Neuen Signaturschlüssel jetzt kopieren', en: 'Copy the new secret now' },
  disableTitle: { de: 'Diesen Endpunkt deaktivieren?', en: 'Disable this endpoint?' },
  disableText: {
    de: 'Es wird nichts an ihn gesendet, bis Sie ihn wieder aktivieren. Ereignisse werden 30 Tage lang aufbewahrt.',
    en: 'Nothing is sent to it until you enable it again. Events are kept for 30 days.',
  },
  disabled: { de: 'Der Endpunkt wurde deaktiviert.', en: 'The endpoint has been disabled.' },
  enabled: { de: 'Der Endpunkt wurde aktiviert.', en: 'The endpoint has been enabled.' },
  deleteTitle: { de: 'Diesen Endpunkt löschen?', en: 'Delete this endpoint?' },
  deleteText: {
    de: 'Sein Signaturschlüssel und sein Zustellprotokoll werden gelöscht. Ausstehende Anfragen werden nicht gesendet. Das kann nicht rückgängig gemacht werden.',
    en: 'Its secret and its delivery log are deleted. Pending requests are not sent. This cannot be undone.',
  },
  deleted: { de: 'Der Endpunkt wurde gelöscht.', en: 'The endpoint has been deleted.' },
  saved: { de: 'Der Endpunkt wurde geändert.', en: 'The endpoint has been changed.' },
  gone: {
    de: 'Dieser Endpunkt wurde inzwischen gelöscht. Laden Sie die Seite neu.',
    en: 'This endpoint has been deleted in the meantime. Reload the page.',
  },
  isDisabled: {
    de: 'Der Endpunkt wurde inzwischen deaktiviert. Aktivieren Sie ihn zuerst.',
    en: 'The endpoint has been disabled in the meantime. Enable it first.',
  },

  log: { de: 'Zustellprotokoll', en: 'Delivery log' },
  noDeliveries: { de: 'Noch keine Zustellungen', en: 'No deliveries yet' },
  noDeliveriesHint: {
    de: 'Zustellungen erscheinen hier, sobald ein Ereignis eintritt. Senden Sie zum Ausprobieren ein Testereignis.',
    en: 'Deliveries appear here as soon as an event occurs. Send a test event to try it.',
  },
  attemptedIn: {
    de: 'Nur Zustellungen, die innerhalb einer Stunde ab {hour} versucht wurden.',
    en: 'Only deliveries that were attempted within an hour from {hour} on.',
  },
  response: { de: 'Antwort', en: 'Response' },
  noResponse: { de: 'Keine Antwort', en: 'No response' },
  when: { de: 'Letzter Versuch', en: 'Last attempt' },
  attempts: { de: 'Versuche', en: 'Attempts' },
  detailsOf: { de: '{event}, Nummer {sequence}', en: '{event}, sequence {sequence}' },
  nextAttempt: { de: 'Nächster Versuch {time}', en: 'Next attempt {time}' },

  deliveryTitle: { de: 'Ereignis {sequence}: {event}', en: 'Event {sequence}: {event}' },
  eventId: { de: 'Ereignis-ID', en: 'Event ID' },
  redelivered: { de: 'Ereignis {sequence} wird erneut gesendet.', en: 'Event {sequence} will be sent again.' },
  request: { de: 'Anfrage', en: 'Request' },
  requestExpired: {
    de: 'Das Ereignis wird nicht mehr aufbewahrt. Sein Inhalt kann nicht angezeigt werden.',
    en: 'The event is no longer kept, so its content is not shown.',
  },
  attempt: { de: 'Versuch {number}', en: 'Attempt {number}' },
  noAttempts: { de: 'Es gab noch keinen Versuch.', en: 'No attempt has been made yet.' },
  responseBody: { de: 'Inhalt der Antwort (das erste KiB)', en: 'Response body (first 1 KiB)' },
  emptyBody: { de: 'Die Antwort hatte keinen Inhalt.', en: 'The response had no body.' },

  replay: { de: 'Bereich erneut senden', en: 'Send range again' },
  replayTitle: { de: 'Einen Bereich von Ereignissen erneut senden', en: 'Send a range of events again' },
  replayText: {
    de: 'Alle noch aufbewahrten Ereignisse des Bereichs, die dieser Endpunkt erhält, werden erneut gesendet, auch bereits zugestellte. Die Seite „Ereignisse“ zeigt die Nummer jedes Ereignisses.',
    en: 'All events of the range that this endpoint receives and that are still kept are sent again, including those already delivered. The events page shows the sequence of each event.',
  },
  from: { de: 'Erste Nummer', en: 'First sequence' },
  to: { de: 'Letzte Nummer', en: 'Last sequence' },
  toHint: {
    de: 'Ohne Angabe wird alles bis zum neuesten Ereignis gesendet.',
    en: 'Leave empty to send everything up to the newest event.',
  },
  wrongRange: {
    de: 'Die letzte Nummer darf nicht kleiner als die erste sein.',
    en: 'The last sequence must not be less than the first.',
  },
  replayed_one: { de: 'Ein Ereignis wird erneut gesendet.', en: 'One event will be sent again.' },
  replayed_other: { de: '{count} Ereignisse werden erneut gesendet.', en: '{count} events will be sent again.' },
} as const;

/** Why an attempt failed, by the code in the log. */
export const errors = {
  status: { de: 'Status {status} statt 2xx', en: 'status {status} instead of 2xx' },
  redirect: {
    de: 'Status {status}: Weiterleitungen wird nicht gefolgt',
    en: 'status {status}: redirects are not followed',
  },
  timeout: { de: 'keine Antwort innerhalb von 15 Sekunden', en: 'no response within 15 seconds' },
  connectTimeout: { de: 'die Verbindung kam nicht rechtzeitig zustande', en: 'no connection in time' },
  refused: { de: 'der Server hat die Verbindung abgelehnt', en: 'the server refused the connection' },
  closed: { de: 'der Server hat die Verbindung geschlossen', en: 'the server closed the connection' },
  notFound: { de: 'der Hostname konnte nicht aufgelöst werden', en: 'the host name could not be resolved' },
  notPublic: { de: 'der Host hat keine öffentliche Adresse', en: 'the host does not have a public address' },
  certificate: { de: 'das TLS-Zertifikat ist nicht gültig ({code})', en: 'the TLS certificate is not valid ({code})' },
  other: { de: 'die Verbindung ist fehlgeschlagen ({code})', en: 'the connection failed ({code})' },
} as const;
