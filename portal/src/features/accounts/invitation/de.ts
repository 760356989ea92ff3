import type { Translation } from '../../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Willkommen',
  hint: '{company} hat Sie eingeladen. Ihr Zugriff: {roles}. Wählen Sie ein Passwort für {email}.',
  joinHint: '{company} hat Sie eingeladen. Ihr Zugriff: {roles}. Geben Sie das Passwort Ihres Kontos {email} ein.',
  join: 'Beitreten',
  wrongPassword: 'Das Passwort ist falsch.',
  name: 'Ihr Name',
  password: 'Passwort',
  passwordHint: 'Mindestens 12 Zeichen.',
  submit: 'Konto anlegen',
  gone: 'Diese Einladung ist nicht mehr gültig',
  goneHint:
    'Sie wurde bereits verwendet, zurückgezogen oder ist abgelaufen. Bitten Sie die Administration Ihres Unternehmens um eine neue Einladung.',
  toSignIn: 'Anmelden',
  passwordCommon: 'Dieses Passwort ist zu verbreitet. Wählen Sie mehrere Wörter ohne Zusammenhang.',
  passwordContainsAddress: 'Das Passwort darf weder Ihre E-Mail-Adresse noch den Teil vor dem @ enthalten.',
};
