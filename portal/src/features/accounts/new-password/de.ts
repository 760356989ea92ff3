import type { Translation } from '../../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Neues Passwort',
  requestHint:
    'Geben Sie Ihre E-Mail-Adresse ein. Wenn es dazu ein Konto gibt, erhalten Sie einen Link, um ein neues Passwort zu wählen.',
  hint: 'Wählen Sie ein neues Passwort. Alle Ihre Sitzungen werden beendet.',
  email: 'E-Mail',
  request: 'Link senden',
  requested: 'Wenn es zu dieser Adresse ein Konto gibt, ist der Link unterwegs. Er gilt eine Stunde.',
  noMail:
    'Dieser Dienst sendet keine E-Mails. Bitten Sie die Administration Ihres Unternehmens um einen Link für ein neues Passwort.',
  password: 'Neues Passwort',
  passwordHint: 'Mindestens 12 Zeichen.',
  submit: 'Passwort setzen',
  done: 'Ihr Passwort wurde geändert. Melden Sie sich damit an.',
  gone: 'Dieser Link ist abgelaufen oder wurde benutzt.',
  again: 'Neuen Link anfordern',
  toSignIn: 'Zur Anmeldung',
  passwordCommon: 'Dieses Passwort ist zu verbreitet. Wählen Sie mehrere Wörter ohne Zusammenhang.',
  passwordContainsAddress: 'Das Passwort darf weder Ihre E-Mail-Adresse noch den Teil vor dem @ enthalten.',
};
