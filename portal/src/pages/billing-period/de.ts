import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  billing: 'Abrechnung',
  net: 'Netto',
  tax: 'Steuer',
  gross: 'Brutto',
  byType: 'Nach Art',
  type: 'Posten',
  items: 'Anzahl',
  total: 'Summe',
  itemsTitle: 'Alle Posten',
  all: 'Alle Arten',
  filter: 'Art der Posten',
  for: 'Für',
  company: 'Das Unternehmen',
  removed: 'Entfernte Person',
  hrId: 'HR-ID {hrId}',
  noHrId: 'Keine HR-ID',
  companyShare: 'Anteil Unternehmen',
  employeeShare: 'Eigenanteil',
  emptyTitle: 'Für diesen Monat wurde nichts berechnet',
  emptyHint: 'Wählen Sie einen anderen Monat.',
  toBilling: 'Alle Monate',
  invalidTitle: 'Das ist kein Monat',

  payroll: 'Lohndatei',
  payrollNone: 'In diesem Monat hatte niemand ein Ticket: Für die Lohnabrechnung gibt es nichts.',
  correction: 'Korrektur von Posten {id} aus {period}: {reason}',
  payrollStarted_one:
    'Die Datei hat eine Zeile. Sie ändert sich nicht mehr: Spätere Korrekturen stehen in der nächsten.',
  payrollStarted_other:
    'Die Datei hat {count} Zeilen. Sie ändert sich nicht mehr: Spätere Korrekturen stehen in der nächsten.',
  payrollDraft_one: 'Die Datei hat eine Zeile. Sie kann sich noch ändern, weil HR-IDs fehlen.',
  payrollDraft_other: 'Die Datei hat {count} Zeilen. Sie kann sich noch ändern, weil HR-IDs fehlen.',
  warnTitle: 'HR-IDs fehlen',
  warnText_one:
    'Eine Person hat keine HR-ID. Ihre Zeile stünde in der Datei, aber Ihr Lohnsystem wüsste nicht, wem sie gehört:',
  warnText_other:
    '{count} Personen haben keine HR-ID. Ihre Zeilen stünden in der Datei, aber Ihr Lohnsystem wüsste nicht, wem sie gehören:',
  warnMore:
    'Mindestens {count} Personen haben keine HR-ID. Ihre Zeilen stünden in der Datei, aber Ihr Lohnsystem wüsste nicht, wem sie gehören. Die ersten davon:',
  warnHint: 'HR-IDs kommen mit der Liste. Sobald ein Abgleich sie gebracht hat, erzeugen Sie die Datei erneut.',
  unnamed: 'Ohne Namen',
  download: 'Trotzdem herunterladen',
};
