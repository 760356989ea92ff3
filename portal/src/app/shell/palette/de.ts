import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Suche',
  label: 'Portal durchsuchen',
  hint: 'Name, E-Mail-Adresse, HR-ID, Ticket, Abgleich, Schlüssel, Rechnung oder Seite',
  results: 'Ergebnisse',
  pages: 'Seiten',
  employees: 'Beschäftigte',
  syncs: 'Abgleiche',
  keys: 'API-Schlüssel',
  invoices: 'Rechnungen',
  requests: 'Anfragen',
  request: 'Anfrage {id}',
  allEmployees: 'Alle Beschäftigten mit „{text}“',
  nothing: 'Nichts gefunden für „{text}“.',
  found_one: '{count} Ergebnis',
  found_other: '{count} Ergebnisse',
  keyboard: 'Pfeiltasten wählen aus, Enter öffnet, Esc schließt.',
};
