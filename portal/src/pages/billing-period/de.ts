import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  billing: 'Abrechnung',
  net: 'Netto',
  tax: 'MwSt.',
  gross: 'Brutto',
  byType: 'Nach Art',
  type: 'Art',
  items: 'Anzahl',
  total: 'Summe',
  itemsTitle: 'Alle Posten',
  all: 'Alle Arten',
  filter: 'Art der Posten',
  for: 'Für',
  company: 'Unternehmen',
  removed: 'Ausgeschiedene Person',
  hrId: 'HR-ID {hrId}',
  noHrId: 'Keine HR-ID',
  companyShare: 'Anteil Unternehmen',
  employeeShare: 'Eigenanteil',
  emptyTitle: 'Keine Posten für diesen Monat',
  emptyHint: 'Wählen Sie einen anderen Monat.',
  toBilling: 'Alle Monate anzeigen',
  invalidTitle: 'Ungültiger Monat',
  correction: 'Korrektur von Posten {id} aus {period}:',
  payroll: 'Zur Lohnabrechnung',
};
