import type { Translation } from '../../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Anmelden',
  hint: 'API-Schlüssel, HR-Integrationen, Beschäftigte und Abrechnung Ihres Unternehmens.',
  email: 'E-Mail',
  password: 'Passwort',
  submit: 'Anmelden',
  sso: 'Single Sign-on',
  ssoNone: 'Für diese Adresse gibt es kein Single Sign-on. Verwenden Sie Ihr Passwort.',
  wrong: 'E-Mail oder Passwort ist falsch.',
  tooMany: 'Zu viele Versuche. Versuchen Sie es in {count} Sekunden erneut.',
  invite: 'Noch kein Konto? Die Administration Ihres Unternehmens kann Sie einladen.',
  docs: 'API-Referenz',
  code: 'Code Ihrer Authentifizierungs-App oder Wiederherstellungscode',
  wrongCode: 'Der Code ist falsch oder wurde schon benutzt. Geben Sie den nächsten ein.',
  passkey: 'Passkey verwenden',
  passkeyNeeded: 'Ihr Passwort ist richtig. Bestätigen Sie nun mit Ihrem Passkey.',
  passkeyNone: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder melden Sie sich mit Ihrem Passwort an.',
  forgot: 'Passwort vergessen?',
};
