import type { Language } from '../domain/enums.ts';

export type Text = Readonly<Record<Language, string>>;

/** The texts around the pages. Guides are files in docs/, the German ones in docs/de. */
export const texts = {
  guides: { de: 'Anleitungen', en: 'Guides' },
  reference: { de: 'API-Referenz', en: 'API reference' },
  errors: { de: 'Fehler', en: 'Errors' },
  skip: { de: 'Zum Inhalt springen', en: 'Skip to content' },
  brand: { de: 'Hilfe', en: 'Docs' },
  documentation: { de: 'Hilfe', en: 'Documentation' },
  back: { de: 'Zurück zum Portal', en: 'Back to the portal' },
  pages: { de: 'Seiten', en: 'Pages' },
  allPages: { de: 'Alle Seiten', en: 'All pages' },
  onThisPage: { de: 'Auf dieser Seite', en: 'On this page' },
  isEnglish: { de: 'englisch', en: 'English' },
  onlyEnglish: { de: 'Diese Seite gibt es nur auf Englisch.', en: 'This page is in English.' },
  otherLanguage: { de: 'English', en: 'Deutsch' },
  search: { de: 'Suche', en: 'Search' },
  searchGuides: { de: 'Anleitungen durchsuchen', en: 'Search the guides' },
  find: { de: 'Suchen', en: 'Search' },
  nothingFound: {
    de: 'Kein Abschnitt enthält alle diese Wörter. Suchen Sie mit weniger oder anderen Wörtern.',
    en: 'No section contains all of these words. Search with fewer or other words.',
  },
  introduction: {
    de: `Anleitungen für alle, die mit Beschäftigten, Kosten und Lohn arbeiten. Anleitungen für Entwicklung und Betrieb gibt es nur auf
Englisch. Die <a href="/docs/reference">API-Referenz</a> beschreibt jeden Aufruf, <a href="/docs/errors">Fehler</a> jeden Fehlercode (beide
auf Englisch).`,
    en: `Guides for everybody who connects an HR or payroll system, manages employees, or runs the service. The
<a href="/docs/reference">API reference</a> describes every operation, <a href="/docs/errors">Errors</a> every error code.`,
  },
} as const satisfies Record<string, Text>;

/** Returns how many sections were found, and how many of them are shown. */
export const countText = (found: number, shown: number): Text => ({
  de: `${found} ${found === 1 ? 'Abschnitt' : 'Abschnitte'} gefunden${shown < found ? `, die ersten ${shown} werden angezeigt` : ''}`,
  en: `${found} ${found === 1 ? 'section' : 'sections'} found${shown < found ? `, the first ${shown} are shown` : ''}`,
});
