import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  label: 'Lesen aus {provider}',
  waiting: 'Lesen aus {provider} …',
  reading: 'Gelesene Seiten: {pages}. Gelesene Beschäftigte: {people}.',
  readingTotal: 'Gelesene Seiten: {pages}. Gelesene Beschäftigte: {people} von {total}.',
};
