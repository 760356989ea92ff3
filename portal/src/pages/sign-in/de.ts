import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Anmelden',
  hint: 'API-Schlüssel, HR-Integrationen, Beschäftigte und Abrechnung Ihres Unternehmens.',
  email: 'E-Mail',
  password: 'Passwort',
  submit: 'Anmelden',
  wrong: 'E-Mail oder Passwort ist falsch.',
  tooMany: 'Zu viele Versuche. Versuchen Sie es in {count} Sekunden erneut.',
  invite: 'Noch kein Konto? Die Administration Ihres Unternehmens kann Sie einladen.',
  docs: 'API-Referenz',
};
