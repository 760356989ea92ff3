import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Personen',
  description: 'Wer in Ihrem Unternehmen dieses Portal benutzen darf. Was jemand tut, steht in der Aktivität.',
  invite: 'Jemanden einladen',
  list: 'Personen',
  person: 'Person',
  role: 'Rolle',
  lastSignIn: 'Letzte Anmeldung',
  never: 'Nie',
  you: 'Sie',
  actions: 'Aktionen',
  actionsOf: 'Aktionen für {name}',
  changeRole: 'Rolle ändern',
  remove: 'Entfernen',
  admin: 'Alles: lädt auch Personen ein und entscheidet über Abos.',
  developer: 'API-Schlüssel, HR-Integrationen, Abgleiche und auf Staging die Zeitreise. Liest den Rest.',
  viewer: 'Liest alles außer dieser Seite und ändert nichts.',
  lastAdmin: 'Das ist die einzige Person mit der Rolle Administration. Geben Sie die Rolle erst jemand anderem.',
  goneMeanwhile: 'Das wurde inzwischen geändert. Laden Sie die Seite neu.',

  roleTitle: 'Rolle von {name}',
  roleSubmit: 'Rolle ändern',
  roleOwn: 'Sie ändern Ihre eigene Rolle: Sie können das nicht selbst zurücknehmen.',
  roleDone: '{name} hat jetzt die Rolle „{role}“.',

  removeTitle: '{name} entfernen?',
  removeText:
    '{email} wird sofort überall abgemeldet und kann sich nicht mehr anmelden. Angelegte API-Schlüssel gelten weiter.',
  removeOwn: 'Das sind Sie: Sie werden abgemeldet und kommen ohne Einladung nicht zurück.',
  removeSubmit: 'Person entfernen',
  removed: '{name} ist entfernt.',

  invitations: 'Offene Einladungen',
  noInvitations: 'Keine Einladung ist offen.',
  email: 'E-Mail',
  expires: 'Gültig bis',
  withdraw: 'Zurückziehen',
  withdrawOf: 'Einladung von {email} zurückziehen',
  withdrawTitle: 'Einladung zurückziehen?',
  withdrawText: 'Der Link, den {email} bekommen hat, gilt dann nicht mehr.',
  withdrawSubmit: 'Einladung zurückziehen',
  withdrawn: 'Die Einladung von {email} ist zurückgezogen.',

  inviteTitle: 'Jemanden einladen',
  inviteHint: 'Sie bekommen einen Link zum Weitergeben. Von hier wird keine E-Mail verschickt.',
  emailTaken: 'Diese Adresse gehört jemandem, der schon ein Konto im Portal hat.',
  invalidEmail: 'Das ist keine vollständige E-Mail-Adresse.',
  inviteSubmit: 'Link erzeugen',
  linkTitle: 'Geben Sie diesen Link weiter',
  linkHint:
    'Geben Sie ihn {email} auf einem Weg, dem Sie vertrauen: Wer ihn zuerst öffnet, tritt bei. Er gilt einmal, bis {time}.',
  link: 'Einladungslink',
  done: 'Fertig, ich habe ihn kopiert',
};
