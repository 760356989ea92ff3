import type { Translation } from '../../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Single Sign-on',
  wait: 'Sie werden angemeldet.',
  toSignIn: 'Zurück zur Anmeldung',
};
