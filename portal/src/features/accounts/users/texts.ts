export const texts = {
  description: {
    de: 'Alle, die in Ihrem Unternehmen dieses Portal nutzen können. Ihre Aktionen stehen unter „Aktivität“.',
    en: 'Everyone in your company who can use this portal. What they do is listed under Activity.',
  },
  lastSignIn: { de: 'Letzte Anmeldung', en: 'Last sign-in' },
  never: { de: 'Nie', en: 'Never' },
  you: { de: 'Sie', en: 'You' },
  disabled: { de: 'Gesperrt', en: 'Disabled' },
  rolesHint: {
    de: 'Jede Rolle liest alle Seiten außer Benutzer und Einstellungen. Die Rollen zusammen bestimmen, was außerdem erlaubt ist.',
    en: 'Every role reads all pages except users and settings. The roles together decide what else is allowed.',
  },
  admin: { de: 'Alles, auch Benutzer und Einstellungen.', en: 'Everything, including users and settings.' },
  hr: {
    de: 'Personallisten, Abmeldungen, Entscheidungen über Abos und Vereinbarungen, Dokumente der Beschäftigten.',
    en: 'Rosters, removals, decisions on subscriptions and contracts, documents of employees.',
  },
  payroll: {
    de: 'Lohndateien, Rechnungen, Dokumente der Beschäftigten.',
    en: 'Payroll files, invoices, documents of employees.',
  },
  developer: {
    de: 'API-Schlüssel, HR-Integrationen, Personallisten, Webhooks, Anfragen-Log und in Staging die Zeitreise.',
    en: 'API keys, HR integrations, rosters, webhooks, request log and, in staging, time travel.',
  },
  viewer: {
    de: 'Nur lesen. Keine Lohndateien, Rechnungen und Dokumente.',
    en: 'Reads only. No payroll files, invoices or documents.',
  },
  noRole: { de: 'Wählen Sie mindestens eine Rolle.', en: 'Select at least one role.' },
  lastAdmin: {
    de: 'Das ist der einzige Benutzer mit der Rolle „Administration“. Geben Sie zuerst einem anderen Benutzer diese Rolle.',
    en: 'This is the only admin. Make another user an admin first.',
  },
  goneMeanwhile: {
    de: 'Das wurde inzwischen geändert. Laden Sie die Seite neu.',
    en: 'This has been changed in the meantime. Reload the page.',
  },

  rolesTitle: { de: 'Rollen von {name}', en: 'Roles of {name}' },
  rolesOwn: {
    de: 'Sie geben die Rolle „Administration“ ab. Sie können das nicht selbst rückgängig machen.',
    en: 'You are giving up the role Admin. You cannot undo this yourself.',
  },
  rolesDone: { de: '{name} hat jetzt diese Rollen: {roles}.', en: '{name} now has these roles: {roles}.' },

  endSessionsTitle: { de: 'Sitzungen von {name} beenden?', en: 'End the sessions of {name}?' },
  endSessionsText: {
    de: '{email} wird auf allen Geräten abgemeldet und kann sich wieder anmelden.',
    en: '{email} will be signed out on all devices and can sign in again.',
  },
  endSessionsOwn: {
    de: 'Das ist Ihr eigenes Konto. Sie werden auf allen Geräten abgemeldet, auch auf diesem, und können sich wieder anmelden.',
    en: 'This is your own account. You will be signed out on all devices, including this one, and can sign in again.',
  },
  sessionsEnded: { de: '{name} wurde auf allen Geräten abgemeldet.', en: '{name} has been signed out on all devices.' },

  removeTitle: { de: '{name} entfernen?', en: 'Remove {name}?' },
  removeText: {
    de: '{email} wird auf allen Geräten abgemeldet und kann sich nicht mehr anmelden. Offene Einladungen dieses Benutzers werden zurückgezogen.',
    en: '{email} will be signed out on all devices and can no longer sign in. Open invitations from this user will be withdrawn.',
  },
  resetLink: { de: 'Link für neues Passwort', en: 'Link for a new password' },
  resetLinkTitle: { de: 'Neues Passwort für {name}', en: 'New password for {name}' },
  resetLinkText: {
    de: '{email} wählt mit einem Link ein neues Passwort. Der zweite Faktor bleibt. Wer den Link hat, kann ihn einmal benutzen, innerhalb einer Stunde.',
    en: '{email} chooses a new password with a link. The second factor stays. Anyone who has the link can use it once, within an hour.',
  },
  resetLinkShown: {
    de: 'Geben Sie diesen Link persönlich oder auf sicherem Weg an {email} weiter. Er gilt einmal, bis {time}.',
    en: 'Pass this link on to {email} in person or through a secure channel. It works once, until {time}.',
  },
  resetLinkMailed: {
    de: 'Der Link wurde an {email} gesendet. Er gilt einmal, bis {time}.',
    en: 'The link was emailed to {email}. It works once, until {time}.',
  },
  resetLinkSubmit: { de: 'Link erstellen', en: 'Create link' },
  noPassword: {
    de: 'Dieser Benutzer hat kein Passwort: Er ist gesperrt oder meldet sich bei einem Identitätsanbieter an.',
    en: 'This user has no password: they are disabled, or sign in through an identity provider.',
  },
  endpointsTitle: { de: 'Webhook-Endpunkte deaktivieren', en: 'Disable webhook endpoints' },
  endpointsHint: {
    de: 'Diese Person hat sie angelegt, geändert oder ihr Geheimnis gesehen. Prüfen Sie, ob die Empfänger noch Ihnen gehören.',
    en: 'This user created them, changed them or saw their secret. Check whether the receivers still belong to you.',
  },
  keysTitle: { de: 'API-Schlüssel dieses Benutzers widerrufen', en: 'Revoke API keys of this user' },
  keysHint: {
    de: 'Nicht ausgewählte Schlüssel bleiben gültig. Mit dem Passwort können sie weiter verwendet werden.',
    en: 'Keys that are not selected stay valid. Anyone with the password can still use them.',
  },
  keyOnlyTheirs: { de: 'Nur dieser Benutzer hat das Passwort gesehen.', en: 'Only this user has seen the password.' },
  keyShared: {
    de: 'Ein anderer Benutzer hat das aktuelle Passwort gesehen.',
    en: 'Another user has seen the current password.',
  },
  removeOwn: {
    de: 'Das ist Ihr eigenes Konto. Sie werden abgemeldet und brauchen für den Zugang eine neue Einladung.',
    en: 'This is your own account. You will be signed out and need a new invitation to return.',
  },
  removeSubmit: { de: 'Benutzer entfernen', en: 'Remove user' },
  removed: { de: '{name} wurde entfernt.', en: '{name} has been removed.' },

  invitations: { de: 'Offene Einladungen', en: 'Open invitations' },
  noInvitations: { de: 'Keine offenen Einladungen.', en: 'No open invitations.' },
  expires: { de: 'Gültig bis', en: 'Valid until' },
  withdraw: { de: 'Zurückziehen', en: 'Withdraw' },
  withdrawOf: { de: 'Einladung für {email} zurückziehen', en: 'Withdraw the invitation for {email}' },
  withdrawTitle: { de: 'Einladung zurückziehen?', en: 'Withdraw the invitation?' },
  withdrawText: {
    de: 'Der Einladungslink für {email} wird ungültig.',
    en: 'The invitation link for {email} will stop working.',
  },
  withdrawSubmit: { de: 'Einladung zurückziehen', en: 'Withdraw invitation' },
  withdrawn: {
    de: 'Die Einladung für {email} wurde zurückgezogen.',
    en: 'The invitation for {email} has been withdrawn.',
  },

  inviteHint: {
    de: 'Der Link wird per E-Mail gesendet. Wenn dieser Dienst keine E-Mails sendet, erhalten Sie ihn zum Weitergeben.',
    en: 'The link is sent by email. If this service sends no email, you get it to pass on.',
  },
  emailTaken: {
    de: 'Ein Benutzer Ihres Unternehmens hat bereits diese E-Mail-Adresse.',
    en: 'A user of your company already has this email address.',
  },
  invalidEmail: { de: 'Geben Sie eine vollständige E-Mail-Adresse ein.', en: 'Enter a complete email address.' },
  inviteSubmit: { de: 'Einladen', en: 'Invite' },
  sentTitle: { de: 'Einladung gesendet', en: 'Invitation sent' },
  sentHint: {
    de: 'Ein Link ist unterwegs an {email}. Nur der Empfänger sieht ihn. Er gilt einmalig und bis {time}.',
    en: 'A link is on its way to {email}. Only the recipient sees it. It works once and expires at {time}.',
  },
  linkTitle: { de: 'Link weitergeben', en: 'Pass on this link' },
  linkHint: {
    de: 'Senden Sie den Link auf sicherem Weg an {email}: Jeder, der ihn öffnet, kann ihn verwenden. Er gilt einmalig und bis {time}.',
    en: 'Send the link to {email} through a secure channel: anyone who opens it can use it. It works once and expires at {time}.',
  },
  link: { de: 'Einladungslink', en: 'Invitation link' },
  done: { de: 'Ich habe ihn kopiert', en: 'I have copied it' },
  resetFactor: { de: 'Zweiten Faktor zurücksetzen', en: 'Reset the second factor' },
  resetFactorTitle: { de: 'Zweiten Faktor von {name} zurücksetzen', en: 'Reset the second factor of {name}' },
  resetFactorText: {
    de: 'Passkeys, Authentifizierungs-App und Wiederherstellungscodes von {email} werden entfernt. Danach genügt das Passwort, bis ein neuer zweiter Faktor hinzugefügt ist. Alle Sitzungen enden. Prüfen Sie, ob wirklich diese Person darum bittet.',
    en: 'Passkeys, authenticator app and recovery codes of {email} are removed, and the password alone is enough until they add new ones. All their sessions end. Make sure that it is really this person who asks.',
  },
  resetFactorSubmit: { de: 'Zurücksetzen', en: 'Reset' },
  factorReset: { de: 'Der zweite Faktor von {name} wurde entfernt.', en: 'The second factor of {name} was removed.' },
} as const;
