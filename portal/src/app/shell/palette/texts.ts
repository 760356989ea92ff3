export const texts = {
  label: { de: 'Portal durchsuchen', en: 'Search the portal' },
  hint: {
    de: 'Name, E-Mail-Adresse, HR-ID, Ticket, Abgleich, Schlüssel, Rechnung oder Seite',
    en: 'Name, email address, HR ID, ticket, sync, key, invoice or page',
  },
  results: { de: 'Ergebnisse', en: 'Results' },
  request: { de: 'Anfrage {id}', en: 'Request {id}' },
  allEmployees: { de: 'Alle Beschäftigten mit „{text}“', en: 'All employees with “{text}”' },
  nothing: { de: 'Nichts gefunden für „{text}“.', en: 'Nothing found for “{text}”.' },
  found_one: { de: '{count} Ergebnis', en: '{count} result' },
  found_other: { de: '{count} Ergebnisse', en: '{count} results' },
  keyboard: {
    de: 'Pfeiltasten wählen aus, Enter öffnet, Esc schließt.',
    en: 'Arrow keys to choose, Enter to open, Esc to close.',
  },
} as const;
