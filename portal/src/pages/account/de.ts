import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Konto',
  description: 'Ihr Profil und Ihr Passwort.',
  name: 'Name',
  email: 'E-Mail',
  role: 'Rolle',
  passwordTitle: 'Passwort ändern',
  current: 'Aktuelles Passwort',
  next: 'Neues Passwort',
  nextHint: 'Mindestens 12 Zeichen. Ihre anderen Sitzungen werden beendet.',
  repeat: 'Neues Passwort wiederholen',
  differs: 'Die Passwörter stimmen nicht überein.',
  wrong: 'Das aktuelle Passwort ist falsch.',
  submit: 'Passwort ändern',
  done: 'Ihr Passwort wurde geändert. Ihre anderen Sitzungen wurden beendet.',
  passwordCommon: 'Dieses Passwort ist zu verbreitet. Wählen Sie mehrere Wörter ohne Zusammenhang.',
  passwordContainsAddress: 'Das Passwort darf weder Ihre E-Mail-Adresse noch den Teil vor dem @ enthalten.',
};
