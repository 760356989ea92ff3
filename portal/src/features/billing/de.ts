import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Abrechnung',
  description: 'Posten nach Monat und Art. Tickets werden je Person berechnet, alles andere je Unternehmen.',
  chart: 'Bruttobetrag je Monat nach Art',
  months: 'Abrechnungsmonate',
  month: 'Abrechnungsmonat',
  gross: 'Brutto',
  year: 'Summe {year}',
  yearMonths_one: 'Brutto, ein Monat',
  yearMonths_other: 'Brutto, {count} Monate',
  emptyTitle: 'Noch keine Posten',
  emptyHint: 'Die ersten Posten entstehen am Monatsersten, nachdem ein Abo abgeschlossen wurde.',
  toEmployees: 'Zu den Beschäftigten',
};
