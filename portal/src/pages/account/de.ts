import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Konto',
  description: 'Wer Sie hier sind und wie Sie sich anmelden.',
  name: 'Name',
  email: 'E-Mail',
  role: 'Rolle',
  passwordTitle: 'Passwort ändern',
  current: 'Aktuelles Passwort',
  next: 'Neues Passwort',
  nextHint: 'Mindestens 12 Zeichen. Alle anderen Sitzungen enden.',
  repeat: 'Neues Passwort wiederholen',
  differs: 'Die beiden stimmen nicht überein.',
  wrong: 'Das aktuelle Passwort stimmt nicht.',
  submit: 'Passwort ändern',
  done: 'Das Passwort ist geändert. Alle anderen Sitzungen sind beendet.',
  passwordCommon:
    'Dieses Passwort gehört zu denen, die zuerst ausprobiert werden. Wählen Sie mehrere Wörter, die nicht zusammengehören.',
  passwordContainsAddress: 'Das Passwort darf weder Ihre E-Mail-Adresse noch den Teil vor dem @ enthalten.',
};
