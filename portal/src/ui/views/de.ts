import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  views: 'Gespeicherte Ansichten',
  none: 'Noch keine Ansichten. Filtern und sortieren Sie die Liste und speichern Sie sie unter einem Namen.',
  name: 'Name dieser Ansicht',
  save: 'Ansicht speichern',
  open: 'Ansicht „{name}“ öffnen',
  remove: 'Ansicht „{name}“ löschen',
  stored: 'Mit Ihrem Konto gespeichert.',
};
