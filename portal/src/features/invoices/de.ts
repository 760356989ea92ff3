import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Rechnungen',
  description:
    'Eine Rechnung je Monat, gestellt am Ersten. Korrekturen werden am Ersten des nächsten Monats gutgeschrieben.',
  list: 'Rechnungen und Rechnungskorrekturen',
  number: 'Nummer',
  type: 'Art',
  invoice: 'Rechnung',
  'credit-note': 'Rechnungskorrektur',
  month: 'Monat',
  date: 'Datum',
  dueOn: 'Fällig',
  gross: 'Brutto',
  files: 'Dateien',
  preview: 'PDF öffnen',
  pdf: 'PDF speichern',
  xrechnung: 'Als XRechnung speichern',
  preparing: 'Dateien werden erstellt.',
  emptyTitle: 'Noch keine Rechnungen',
  emptyHint: 'Die erste Rechnung wird gestellt, wenn ein Monat mit Tickets abgerechnet wird.',
  year: 'In Rechnung gestellt {year}',
  yearHint: 'Netto {net}, USt. {tax}. Belege: {count}.',
  latest: 'Rechnung für {month}',
  more: '{amount} mehr als im Vormonat',
  less: '{amount} weniger als im Vormonat',
  same: 'Wie im Vormonat',
  missingTitle: 'Rechnungen können noch nicht gestellt werden',
  missingSeller:
    'Der Betreiber hat seine Angaben für Rechnungen noch nicht hinterlegt. Wenden Sie sich an den Betreiber.',
  missingBuyer: 'Angaben zu Ihrem Unternehmen fehlen: {fields}.',
  later:
    'Bereits abgerechnete Monate werden innerhalb eines Tages in Rechnung gestellt, sobald die Angaben vollständig sind.',
  toSettings: 'Zu den Einstellungen',
  askAdmin: 'Bitten Sie einen Admin Ihres Unternehmens, sie unter „Einstellungen“ einzutragen.',
  street: 'Straße',
  postCode: 'Postleitzahl',
  city: 'Ort',
  vatId: 'USt-IdNr. aus dem Land Ihres Unternehmens (bei Sitz in einem anderen EU-Land, Reverse Charge)',
};
