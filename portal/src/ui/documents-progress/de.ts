import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  writing: 'Dokumente werden erstellt',
  written: '{written} von {total} Dokumenten erstellt',
};
