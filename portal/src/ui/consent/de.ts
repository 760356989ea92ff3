import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  given: 'Wie wurde zugestimmt?',
  'on-paper': 'Auf Papier',
  electronically: 'Elektronisch, etwa per E-Mail',
  on: 'Datum der Zustimmung',
  scan: 'Scan der unterschriebenen Vereinbarung (PDF, optional)',
  scanName: 'Unterschriebene Beitragsvereinbarung (Scan)',
  hint: 'In der Vereinbarung steht, wie und wann zugestimmt wurde und dass Sie es erfasst haben.',
};
