import type { en } from './common.en.ts';
import type { Translation } from './texts.ts';

/**
 * The German words for the things that `common.en.ts` names. Texts address the user as "Sie".
 *
 * employee: Beschäftigte, with an id Beschäftigte/r 17, in running text "die Person"; user: Benutzer; roster:
 * Personalliste; sync: Abgleich; apply: übernehmen; removal, offboard: Abmeldung, abmelden; removed: ausgeschieden;
 * held: zurückgestellt; approval: Freigabe; plan: Kostenmodell; employee share: Eigenanteil; contract: Vereinbarung;
 * subscription: Abo; charge: Posten; billing month: Abrechnungsmonat; payroll file: Lohndatei; API key: API-Schlüssel;
 * event: Ereignis; sequence: Nummer; endpoint: Endpunkt; signing secret: Signaturschlüssel; delivery: Zustellung.
 */
export const de: Translation<typeof en> = {
  brand: 'Transit Benefits',
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptnavigation',
  overview: 'Übersicht',
  keys: 'API-Schlüssel',
  webhooks: 'Webhooks',
  events: 'Ereignisse',
  integrations: 'HR-Integrationen',
  employees: 'Beschäftigte',
  billing: 'Abrechnung',
  activity: 'Aktivität',
  users: 'Benutzer',
  settings: 'Einstellungen',
  gettingStarted: 'Erste Schritte',
  reference: 'API-Referenz',
  timeTravel: 'Zeitreise',
  account: 'Konto',
  changePassword: 'Passwort ändern',
  signOut: 'Abmelden',
  signOutEverywhere: 'Überall abmelden',
  openMenu: 'Navigation öffnen',
  closeMenu: 'Navigation schließen',
  language: 'Sprache',
  switchScheme: 'Darstellung',
  light: 'Hell',
  dark: 'Dunkel',
  system: 'System',
  stagingBanner: 'Staging. Datum: {today}.',
  staging: 'Staging',
  production: 'Produktion',
  loading: 'Wird geladen',
  retry: 'Erneut versuchen',
  reload: 'Seite neu laden',
  requestId: 'Anfrage-ID',
  copy: 'Kopieren',
  copied: 'Kopiert',
  cancel: 'Abbrechen',
  close: 'Schließen',
  confirm: 'Bestätigen',
  typeToConfirm: 'Zur Bestätigung {word} eingeben',
  secretOnce: 'Wird nur einmal angezeigt. Kopieren Sie es jetzt.',
  none: 'Keine',
  nothingFound: 'Keine Ergebnisse',
  nothingFoundHint: 'Ändern Sie die Suche oder die Filter.',
  problemTitle: 'Es ist ein Fehler aufgetreten',
  offline: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  notAllowed: 'Ihre Rolle erlaubt das nicht. Wenden Sie sich an die Administration Ihres Unternehmens.',
  notAllowedTitle: 'Kein Zugriff',
  notFoundTitle: 'Nicht gefunden',
  notFoundHint: 'Die Adresse ist falsch, oder der Inhalt existiert nicht mehr.',
  toOverview: 'Zur Übersicht',
  brokenTitle: 'Diese Seite kann nicht angezeigt werden',
  brokenHint: 'Möglicherweise wurde eine neue Version installiert. Laden Sie die Seite neu.',
  rowsShown: '{from}–{to} von {total}',
  perPage: 'Zeilen pro Seite',
  pages: 'Seiten',
  previousPage: 'Vorherige Seite',
  nextPage: 'Nächste Seite',
  sortBy: 'Nach {column} sortieren',
  breadcrumbs: 'Navigationspfad',
};
