import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Abrechnung',
  description: 'Was berechnet wurde, nach Monat und Art. Tickets je Person, alles andere je Unternehmen.',
  chart: 'Brutto je Monat nach Art',
  months: 'Monate',
  month: 'Monat',
  gross: 'Brutto',
  emptyTitle: 'Noch keine Posten',
  emptyHint: 'Die ersten entstehen am Ersten des Monats, nachdem jemand ein Abo abgeschlossen hat.',
  toEmployees: 'Zu den Beschäftigten',
};
