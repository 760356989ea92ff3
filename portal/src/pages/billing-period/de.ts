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

  payroll: 'Lohndatei herunterladen',
  payrollNone: 'In diesem Monat hatte niemand ein Ticket. Es gibt keine Lohndatei.',
  correction: 'Korrektur von Posten {id} aus {period}: {reason}',
  payrollStarted_one: 'Die Datei hat eine Zeile und ist endgültig. Spätere Korrekturen stehen in der nächsten Datei.',
  payrollStarted_other:
    'Die Datei hat {count} Zeilen und ist endgültig. Spätere Korrekturen stehen in der nächsten Datei.',
  payrollDraft_one: 'Die Datei hat eine Zeile. Sie ist nicht endgültig, weil HR-IDs fehlen.',
  payrollDraft_other: 'Die Datei hat {count} Zeilen. Sie ist nicht endgültig, weil HR-IDs fehlen.',
  warnTitle: 'Fehlende HR-IDs',
  warnText_one:
    'Bei einer Person fehlt die HR-ID (Personalnummer). Ihr Lohnprogramm kann diese Zeile der Datei nicht zuordnen:',
  warnText_other:
    'Bei {count} Beschäftigten fehlt die HR-ID (Personalnummer). Ihr Lohnprogramm kann diese Zeilen der Datei nicht zuordnen:',
  warnMore:
    'Bei mindestens {count} Beschäftigten fehlt die HR-ID (Personalnummer). Ihr Lohnprogramm kann diese Zeilen der Datei nicht zuordnen. Die ersten davon:',
  warnHint:
    'HR-IDs stammen aus der Personalliste. Laden Sie die Datei erneut herunter, wenn ein Abgleich sie ergänzt hat.',
  unnamed: 'Ohne Namen',
  download: 'Trotzdem herunterladen',
};
