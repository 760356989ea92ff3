import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  same: 'wie im Vormonat',
  more: '{amount} mehr als im Vormonat',
  less: '{amount} weniger als im Vormonat',
};
