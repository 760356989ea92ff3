import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Willkommen',
  hint: '{company} lädt Sie ein, Rolle: {role}. Wählen Sie ein Passwort für {email}.',
  name: 'Ihr Name',
  password: 'Passwort',
  passwordHint: 'Mindestens 12 Zeichen.',
  submit: 'Beitreten',
  gone: 'Diese Einladung gilt nicht',
  goneHint: 'Sie wurde benutzt, zurückgezogen oder ist zu alt. Bitten Sie die Administration um eine neue.',
  toSignIn: 'Anmelden',
  passwordCommon:
    'Dieses Passwort gehört zu denen, die zuerst ausprobiert werden. Wählen Sie mehrere Wörter, die nicht zusammengehören.',
  passwordContainsAddress: 'Das Passwort darf weder Ihre E-Mail-Adresse noch den Teil vor dem @ enthalten.',
};
