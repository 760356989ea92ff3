/**
 * Texts of the shell and of the shared components.
 *
 * All texts of the portal use one word per thing: an employee is in the roster, a user signs in to the portal. A roster
 * is synced and applied. An employee who is missing from it is a removal, which may require approval; they are
 * offboarded first and removed when their ticket expires. A charge belongs to a billing month. API keys have a username
 * and a password. Buttons are verbs. An error says what happened, then what to do.
 */
/**
 * The German words for the things that `common.en.ts` names. Texts address the user as "Sie".
 *
 * employee: Beschäftigte, with an id Beschäftigte/r 17, in running text "die Person"; user: Benutzer; roster:
 * Personalliste; sync: Abgleich; apply: übernehmen; removal, offboard: Abmeldung, abmelden; removed: ausgeschieden;
 * held: zurückgestellt; approval: Freigabe; plan: Kostenmodell; employee share: Eigenanteil; contract: Vereinbarung;
 * subscription: Abo; charge: Posten; billing month: Abrechnungsmonat; payroll file: Lohndatei; API key: API-Schlüssel;
 * event: Ereignis; sequence: Nummer; endpoint: Endpunkt; signing secret: Signaturschlüssel; delivery: Zustellung.
 */
export const texts = {
  brand: { de: 'Transit Benefits', en: 'Transit Benefits' },
  erasedName: { de: 'Gelöscht', en: 'Erased' },
  skip: { de: 'Zum Inhalt springen', en: 'Skip to content' },
  navigation: { de: 'Hauptnavigation', en: 'Main navigation' },
  overview: { de: 'Übersicht', en: 'Overview' },
  keys: { de: 'API-Schlüssel', en: 'API keys' },
  webhooks: { de: 'Webhooks', en: 'Webhooks' },
  events: { de: 'Ereignisse', en: 'Events' },
  integrations: { de: 'HR-Integrationen', en: 'HR integrations' },
  employees: { de: 'Beschäftigte', en: 'Employees' },
  payroll: { de: 'Lohnabrechnung', en: 'Payroll' },
  billing: { de: 'Abrechnung', en: 'Billing' },
  invoices: { de: 'Rechnungen', en: 'Invoices' },
  documents: { de: 'Dokumente', en: 'Documents' },
  requests: { de: 'Anfragen', en: 'Requests' },
  activity: { de: 'Aktivität', en: 'Activity' },
  users: { de: 'Benutzer', en: 'Users' },
  settings: { de: 'Einstellungen', en: 'Settings' },
  sso: { de: 'Single Sign-on', en: 'Single sign-on' },
  gettingStarted: { de: 'Erste Schritte', en: 'Getting started' },
  reference: { de: 'API-Referenz', en: 'API reference' },
  timeTravel: { de: 'Zeitreise', en: 'Time travel' },
  account: { de: 'Konto', en: 'Account' },
  companies: { de: 'Ihre Unternehmen', en: 'Your companies' },
  switchCompany: { de: 'Unternehmen: {company}. Ein anderes öffnen', en: 'Company: {company}. Open another one' },
  changePassword: { de: 'Passwort ändern', en: 'Change password' },
  signOut: { de: 'Abmelden', en: 'Sign out' },
  signOutEverywhere: { de: 'Überall abmelden', en: 'Sign out everywhere' },
  openMenu: { de: 'Navigation öffnen', en: 'Open navigation' },
  closeMenu: { de: 'Navigation schließen', en: 'Close navigation' },
  language: { de: 'Sprache', en: 'Language' },
  switchScheme: { de: 'Darstellung', en: 'Appearance' },
  light: { de: 'Hell', en: 'Light' },
  dark: { de: 'Dunkel', en: 'Dark' },
  system: { de: 'System', en: 'System' },
  stagingBanner: { de: 'Staging. Datum: {today}.', en: 'Staging. Date: {today}.' },
  staging: { de: 'Staging', en: 'Staging' },
  production: { de: 'Produktion', en: 'Production' },
  loading: { de: 'Wird geladen', en: 'Loading' },
  retry: { de: 'Erneut versuchen', en: 'Try again' },
  reload: { de: 'Seite neu laden', en: 'Reload page' },
  requestId: { de: 'Anfrage-ID', en: 'Request ID' },
  copy: { de: 'Kopieren', en: 'Copy' },
  copied: { de: 'Kopiert', en: 'Copied' },
  cancel: { de: 'Abbrechen', en: 'Cancel' },
  close: { de: 'Schließen', en: 'Close' },
  confirm: { de: 'Bestätigen', en: 'Confirm' },
  typeToConfirm: { de: 'Zur Bestätigung {word} eingeben', en: 'Type {word} to confirm' },
  secretOnce: { de: 'Wird nur einmal angezeigt. Kopieren Sie es jetzt.', en: 'Shown only once. Copy it now.' },
  none: { de: 'Keine', en: 'None' },
  nothingFound: { de: 'Keine Ergebnisse', en: 'No results' },
  nothingFoundHint: { de: 'Ändern Sie die Suche oder die Filter.', en: 'Change the search or the filters.' },
  problemTitle: { de: 'Es ist ein Fehler aufgetreten', en: 'Something went wrong' },
  offline: {
    de: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    en: 'The service could not be reached. Check your connection and try again.',
  },
  notAllowed: {
    de: 'Ihre Rolle erlaubt das nicht. Wenden Sie sich an die Administration Ihres Unternehmens.',
    en: 'Your role does not allow this. Contact an admin of your company.',
  },
  notAllowedTitle: { de: 'Kein Zugriff', en: 'No access' },
  notFoundTitle: { de: 'Nicht gefunden', en: 'Not found' },
  notFoundHint: {
    de: 'Die Adresse ist falsch, oder der Inhalt existiert nicht mehr.',
    en: 'The address is wrong, or the content no longer exists.',
  },
  toOverview: { de: 'Zur Übersicht', en: 'Go to overview' },
  brokenTitle: { de: 'Diese Seite kann nicht angezeigt werden', en: 'This page could not be displayed' },
  brokenHint: {
    de: 'Möglicherweise wurde eine neue Version installiert. Laden Sie die Seite neu.',
    en: 'A new version may have been installed. Reload the page.',
  },
  brokenOffline: {
    de: 'Sie sind offline. Die Seite lädt neu, sobald die Verbindung wieder besteht.',
    en: 'You are offline. The page reloads as soon as the connection is back.',
  },
  stepUpTitle: { de: 'Bestätigen Sie, wer Sie sind', en: 'Confirm who you are' },
  stepUpBySso: {
    de: 'Ihre Anmeldung mit Single Sign-on liegt etwas zurück. Melden Sie sich neu an und wiederholen Sie dann, was Sie tun wollten.',
    en: 'You signed in through single sign-on some time ago. Sign in again, then retry.',
  },
  choosePdf: { de: 'PDF auswählen', en: 'Choose a PDF' },
  signInAgain: { de: 'Neu anmelden', en: 'Sign in again' },
  stepUpHint: {
    de: 'Ihre Anmeldung liegt etwas zurück. Bestätigen Sie, dass Sie es noch sind, dann geht es weiter.',
    en: 'Your sign-in is some time ago. Confirm that it is still you, then this continues.',
  },
  code: {
    de: 'Code Ihrer Authentifizierungs-App oder Wiederherstellungscode',
    en: 'Code of your authenticator app, or a recovery code',
  },
  password: { de: 'Passwort', en: 'Password' },
  wrongCode: {
    de: 'Der Code ist falsch oder wurde schon benutzt. Geben Sie den nächsten ein.',
    en: 'The code is wrong or was used before. Enter the next one.',
  },
  passkey: { de: 'Passkey verwenden', en: 'Use a passkey' },
  noPasskey: { de: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut.', en: 'No passkey was used. Try again.' },
  wrongPassword: { de: 'Das Passwort ist falsch.', en: 'The password is wrong.' },
  sessionEndedTitle: { de: 'Ihre Sitzung ist abgelaufen', en: 'Your session has ended' },
  sessionEnded: {
    de: 'Melden Sie sich in einem neuen Tab wieder an und kehren Sie hierher zurück. Ihre Eingaben bleiben erhalten.',
    en: 'Sign in again in a new tab, then return to this one. What you have entered here stays.',
  },
  signInInNewTab: { de: 'In neuem Tab anmelden', en: 'Sign in in a new tab' },
  toSignIn: { de: 'Zur Anmeldeseite', en: 'Go to the sign-in page' },
  rowsShown: { de: '{from}–{to} von {total}', en: '{from}–{to} of {total}' },
  perPage: { de: 'Zeilen pro Seite', en: 'Rows per page' },
  pages: { de: 'Seiten', en: 'Pages' },
  previousPage: { de: 'Vorherige Seite', en: 'Previous page' },
  nextPage: { de: 'Nächste Seite', en: 'Next page' },
  sortBy: { de: 'Nach {column} sortieren', en: 'Sort by {column}' },
  columns: { de: 'Spalten', en: 'Columns' },
  palette: { de: 'Suche', en: 'Search' },
  paletteKeys: { de: 'Strg K', en: 'Ctrl K' },
  clearSearch: { de: 'Suche zurücksetzen', en: 'Clear search' },
  clearFilters: { de: 'Filter zurücksetzen', en: 'Clear filters' },
  breadcrumbs: { de: 'Navigationspfad', en: 'Breadcrumbs' },
  fieldMissing: { de: 'Füllen Sie dieses Feld aus.', en: 'Fill in this field.' },
  fieldChoose: { de: 'Wählen Sie etwas aus.', en: 'Choose an option.' },
  fieldEmail: {
    de: 'Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.',
    en: 'Enter an email address, such as name@example.com.',
  },
  fieldUrl: {
    de: 'Geben Sie eine vollständige Adresse ein, etwa https://example.com.',
    en: 'Enter a complete address, such as https://example.com.',
  },
  fieldTooShort: { de: 'Geben Sie mindestens {limit} Zeichen ein.', en: 'Enter at least {limit} characters.' },
  fieldNumber: {
    de: 'Geben Sie eine ganze Zahl von {minimum} bis {maximum} ein, nur Ziffern, ohne führende Nullen.',
    en: 'Enter a whole number from {minimum} to {maximum}, digits only, without leading zeros.',
  },
  fieldNumberFrom: {
    de: 'Geben Sie eine ganze Zahl ab {minimum} ein, nur Ziffern.',
    en: 'Enter a whole number, {minimum} or greater, digits only.',
  },
  fieldInvalid: { de: 'Dieser Wert ist ungültig. Berichtigen Sie ihn.', en: 'This value is not valid. Correct it.' },
  exportCsv: { de: 'Exportieren (CSV)', en: 'Export (CSV)' },
  exportBroken: {
    de: 'Die Verbindung brach ab, bevor die Tabelle vollständig war. Es wurde nichts gespeichert. Versuchen Sie es erneut.',
    en: 'The connection broke before the table was complete. Nothing was saved. Try again.',
  },
} as const;
