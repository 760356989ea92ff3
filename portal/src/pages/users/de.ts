import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Benutzer',
  description: 'Alle, die in Ihrem Unternehmen dieses Portal nutzen können. Ihre Aktionen stehen unter „Aktivität“.',
  invite: 'Benutzer einladen',
  list: 'Benutzer',
  user: 'Benutzer',
  role: 'Rolle',
  lastSignIn: 'Letzte Anmeldung',
  never: 'Nie',
  you: 'Sie',
  actions: 'Aktionen',
  actionsOf: 'Aktionen für {name}',
  changeRole: 'Rolle ändern',
  endSessions: 'Sitzungen beenden',
  remove: 'Entfernen',
  disabled: 'Gesperrt',
  admin: 'Vollzugriff, auch auf Benutzer, Entscheidungen über Abos, Webhooks und Einstellungen.',
  developer:
    'Verwaltet API-Schlüssel, HR-Integrationen, Abgleiche und in Staging die Zeitreise. Alles andere nur lesend.',
  viewer: 'Lesezugriff auf alles außer Benutzer.',
  lastAdmin:
    'Das ist der einzige Benutzer mit der Rolle „Administration“. Geben Sie zuerst einem anderen Benutzer diese Rolle.',
  goneMeanwhile: 'Das wurde inzwischen geändert. Laden Sie die Seite neu.',

  roleTitle: 'Rolle von {name}',
  roleSubmit: 'Rolle ändern',
  roleOwn: 'Sie ändern Ihre eigene Rolle. Sie können das nicht selbst rückgängig machen.',
  roleDone: '{name} hat jetzt die Rolle „{role}“.',

  endSessionsTitle: 'Sitzungen von {name} beenden?',
  endSessionsText: '{email} wird auf allen Geräten abgemeldet und kann sich wieder anmelden.',
  endSessionsOwn:
    'Das ist Ihr eigenes Konto. Sie werden auf allen Geräten abgemeldet, auch auf diesem, und können sich wieder anmelden.',
  endSessionsSubmit: 'Sitzungen beenden',
  sessionsEnded: '{name} wurde auf allen Geräten abgemeldet.',

  removeTitle: '{name} entfernen?',
  removeText:
    '{email} wird auf allen Geräten abgemeldet und kann sich nicht mehr anmelden. Offene Einladungen dieses Benutzers werden zurückgezogen.',
  keysTitle: 'API-Schlüssel dieses Benutzers widerrufen',
  keysHint: 'Nicht ausgewählte Schlüssel bleiben gültig. Mit dem Passwort können sie weiter verwendet werden.',
  keyOnlyTheirs: 'Nur dieser Benutzer hat das Passwort gesehen.',
  keyShared: 'Ein anderer Benutzer hat das aktuelle Passwort gesehen.',
  removeOwn: 'Das ist Ihr eigenes Konto. Sie werden abgemeldet und brauchen für den Zugang eine neue Einladung.',
  removeSubmit: 'Benutzer entfernen',
  removed: '{name} wurde entfernt.',

  invitations: 'Offene Einladungen',
  noInvitations: 'Keine offenen Einladungen.',
  email: 'E-Mail',
  expires: 'Gültig bis',
  withdraw: 'Zurückziehen',
  withdrawOf: 'Einladung für {email} zurückziehen',
  withdrawTitle: 'Einladung zurückziehen?',
  withdrawText: 'Der Einladungslink für {email} wird ungültig.',
  withdrawSubmit: 'Einladung zurückziehen',
  withdrawn: 'Die Einladung für {email} wurde zurückgezogen.',

  inviteTitle: 'Benutzer einladen',
  inviteHint: 'Sie erhalten einen Link zum Weitergeben. Es wird keine E-Mail gesendet.',
  emailTaken: 'Ein Benutzer Ihres Unternehmens hat bereits diese E-Mail-Adresse.',
  invalidEmail: 'Geben Sie eine vollständige E-Mail-Adresse ein.',
  inviteSubmit: 'Link erzeugen',
  linkTitle: 'Link weitergeben',
  linkHint:
    'Senden Sie den Link auf sicherem Weg an {email}: Jeder, der ihn öffnet, kann ihn verwenden. Er gilt einmalig und bis {time}.',
  link: 'Einladungslink',
  done: 'Ich habe ihn kopiert',
};
