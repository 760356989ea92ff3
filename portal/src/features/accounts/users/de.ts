import type { Translation } from '../../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Benutzer',
  description: 'Alle, die in Ihrem Unternehmen dieses Portal nutzen können. Ihre Aktionen stehen unter „Aktivität“.',
  invite: 'Benutzer einladen',
  list: 'Benutzer',
  user: 'Benutzer',
  roles: 'Rollen',
  lastSignIn: 'Letzte Anmeldung',
  never: 'Nie',
  you: 'Sie',
  actions: 'Aktionen',
  actionsOf: 'Aktionen für {name}',
  changeRoles: 'Rollen ändern',
  endSessions: 'Sitzungen beenden',
  remove: 'Entfernen',
  disabled: 'Gesperrt',
  rolesHint:
    'Jede Rolle liest alle Seiten außer Benutzer und Einstellungen. Die Rollen zusammen bestimmen, was außerdem erlaubt ist.',
  admin: 'Alles, auch Benutzer und Einstellungen.',
  hr: 'Personallisten, Abmeldungen, Entscheidungen über Abos und Vereinbarungen, Dokumente der Beschäftigten.',
  payroll: 'Lohndateien, Rechnungen, Dokumente der Beschäftigten.',
  developer: 'API-Schlüssel, HR-Integrationen, Personallisten, Webhooks, Anfragen-Log und in Staging die Zeitreise.',
  viewer: 'Nur lesen. Keine Lohndateien, Rechnungen und Dokumente.',
  noRole: 'Wählen Sie mindestens eine Rolle.',
  lastAdmin:
    'Das ist der einzige Benutzer mit der Rolle „Administration“. Geben Sie zuerst einem anderen Benutzer diese Rolle.',
  goneMeanwhile: 'Das wurde inzwischen geändert. Laden Sie die Seite neu.',

  rolesTitle: 'Rollen von {name}',
  rolesSubmit: 'Rollen ändern',
  rolesOwn: 'Sie geben die Rolle „Administration“ ab. Sie können das nicht selbst rückgängig machen.',
  rolesDone: '{name} hat jetzt diese Rollen: {roles}.',

  endSessionsTitle: 'Sitzungen von {name} beenden?',
  endSessionsText: '{email} wird auf allen Geräten abgemeldet und kann sich wieder anmelden.',
  endSessionsOwn:
    'Das ist Ihr eigenes Konto. Sie werden auf allen Geräten abgemeldet, auch auf diesem, und können sich wieder anmelden.',
  endSessionsSubmit: 'Sitzungen beenden',
  sessionsEnded: '{name} wurde auf allen Geräten abgemeldet.',

  removeTitle: '{name} entfernen?',
  removeText:
    '{email} wird auf allen Geräten abgemeldet und kann sich nicht mehr anmelden. Offene Einladungen dieses Benutzers werden zurückgezogen.',
  resetLink: 'Link für neues Passwort',
  resetLinkTitle: 'Neues Passwort für {name}',
  resetLinkText:
    '{email} wählt mit einem Link ein neues Passwort. Der zweite Faktor bleibt. Wer den Link hat, kann ihn einmal benutzen, innerhalb einer Stunde.',
  resetLinkShown:
    'Geben Sie diesen Link persönlich oder auf sicherem Weg an {email} weiter. Er gilt einmal, bis {time}.',
  resetLinkMailed: 'Der Link wurde an {email} gesendet. Er gilt einmal, bis {time}.',
  resetLinkSubmit: 'Link erstellen',
  noPassword: 'Dieser Benutzer hat kein Passwort: Er ist gesperrt oder meldet sich bei einem Identitätsanbieter an.',
  webhooksTitle: 'Webhooks deaktivieren',
  webhooksHint:
    'Diese Person hat sie angelegt, geändert oder ihr Geheimnis gesehen. Prüfen Sie, ob die Empfänger noch Ihnen gehören.',
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
  inviteHint:
    'Der Link wird per E-Mail gesendet. Wenn dieser Dienst keine E-Mails sendet, erhalten Sie ihn zum Weitergeben.',
  emailTaken: 'Ein Benutzer Ihres Unternehmens hat bereits diese E-Mail-Adresse.',
  invalidEmail: 'Geben Sie eine vollständige E-Mail-Adresse ein.',
  inviteSubmit: 'Einladen',
  sentTitle: 'Einladung gesendet',
  sentHint: 'Ein Link ist unterwegs an {email}. Nur der Empfänger sieht ihn. Er gilt einmalig und bis {time}.',
  sentDone: 'Schließen',
  linkTitle: 'Link weitergeben',
  linkHint:
    'Senden Sie den Link auf sicherem Weg an {email}: Jeder, der ihn öffnet, kann ihn verwenden. Er gilt einmalig und bis {time}.',
  link: 'Einladungslink',
  done: 'Ich habe ihn kopiert',
  resetFactor: 'Zweiten Faktor zurücksetzen',
  resetFactorTitle: 'Zweiten Faktor von {name} zurücksetzen',
  resetFactorText:
    'Passkeys, Authentifizierungs-App und Wiederherstellungscodes von {email} werden entfernt. Danach genügt das Passwort, bis ein neuer zweiter Faktor hinzugefügt ist. Alle Sitzungen enden. Prüfen Sie, ob wirklich diese Person darum bittet.',
  resetFactorSubmit: 'Zurücksetzen',
  factorReset: 'Der zweite Faktor von {name} wurde entfernt.',
};
