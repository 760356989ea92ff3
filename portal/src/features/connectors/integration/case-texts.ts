export const texts = {
  title: { de: 'Fälle für den Support', en: 'Cases for support' },
  pull: {
    de: 'Wenn ein Abruf scheitert oder falsche Daten liefert, hilft ein Fall bei der Suche: Er enthält die Anfragen und Antworten des nächsten Abrufs. Namen, Adressen, IDs und Datumsangaben sind ersetzt, Zugangsdaten entfernt. Ohne Ihren Auftrag wird nichts aufgezeichnet, und Sie entscheiden, wer die Datei bekommt.',
    en: 'If a pull fails or returns wrong data, a case helps to find out why: it contains the requests and responses of the next pull. Names, addresses, ids and dates are replaced, credentials are removed. Nothing is recorded unless you ask for it, and you decide who receives the file.',
  },
  scim: {
    de: 'Wenn die Bereitstellung scheitert oder falsche Daten liefert, hilft ein Fall bei der Suche: Er enthält die Anfragen des Identitätsanbieters in der nächsten Stunde und unsere Antworten. Namen, Adressen, IDs und Datumsangaben sind ersetzt, Token entfernt. Ohne Ihren Auftrag wird nichts aufgezeichnet, und Sie entscheiden, wer die Datei bekommt.',
    en: 'If provisioning fails or delivers wrong data, a case helps to find out why: it contains the requests of the identity provider during the next hour, and our responses. Names, addresses, ids and dates are replaced, tokens are removed. Nothing is recorded unless you ask for it, and you decide who receives the file.',
  },
  requestPull: { de: 'Nächsten Abruf aufzeichnen', en: 'Record the next pull' },
  requestScim: { de: 'Anfragen aufzeichnen', en: 'Record requests' },
  waiting: { de: 'Wartet auf den nächsten Abruf, bis', en: 'Waits for the next pull until' },
  recording: { de: 'Zeichnet Anfragen auf bis', en: 'Records requests until' },
  missed: { de: 'Kein Abruf in der Zeit bis', en: 'No pull until' },
  ready_one: { de: 'Eine Anfrage. Wird gelöscht:', en: 'One request. Erased:' },
  ready_other: { de: '{count} Anfragen. Wird gelöscht:', en: '{count} requests. Erased:' },
  download: { de: 'Herunterladen', en: 'Download' },
  erase: { de: 'Löschen', en: 'Erase' },
  erased: { de: 'Der Fall wurde gelöscht.', en: 'The case has been erased.' },
  eraseText: {
    de: 'Der Fall wird endgültig gelöscht. Eine laufende Aufzeichnung endet.',
    en: 'The case is erased for good. A recording in progress ends.',
  },
  by: { de: 'angefordert von {name}', en: 'requested by {name}' },
} as const;
