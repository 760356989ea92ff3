import type { PayrollSystem } from '../../../domain/enums.ts';
import { pickTexts, wordingFor } from '../../documents/pdf/wording.ts';
import { descriptions } from '../rules/formats.ts';
import { lineKinds } from '../rules/plan.ts';
import type { CoverSheet } from './load.ts';

const labels = {
  title: ['Begleitblatt zur Lohndatei', 'Payroll cover sheet'],
  fileName: ['begleitblatt', 'cover-sheet'],
  export: ['Export Nr.', 'Export no.'],
  system: ['Lohnprogramm', 'Payroll system'],
  file: ['Datei', 'File'],
  lines: ['Zeilen', 'Lines'],
  employees: ['Beschäftigte', 'Employees'],
  exported: ['Erstellt', 'Exported'],
  handedOver: ['Übergeben', 'Handed over'],
  sha256: ['Prüfsumme (SHA-256)', 'Checksum (SHA-256)'],
  personnelNumber: ['Personalnr.', 'Personnel no.'],
  name: ['Name', 'Name'],
  'tax-free': ['Steuerfrei', 'Tax-free'],
  'flat-tax': ['Pauschal versteuert', 'Flat tax'],
  deduction: ['Eigenanteil', 'Employee share'],
  sum: ['Summe', 'Total'],
  sums: ['Summen', 'Totals'],
  list: ['Beschäftigte in dieser Datei', 'Employees in this file'],
  unnamed: ['Nicht mehr gespeichert', 'No longer stored'],
  signature: ['Datum, Unterschrift', 'Date, signature'],
  operator: ['Betreiber', 'Operator'],
  erased: ['Gelöschter Name', 'Erased name'],
} as const;

const systems: Record<PayrollSystem, string> = {
  csv: 'CSV',
  'datev-lodas': 'DATEV LODAS',
  'datev-lug': 'DATEV Lohn und Gehalt',
};

const languageOf = ({ company: { locale } }: CoverSheet) => wordingFor(locale).texts.language;

/** Returns the name of the file, in the language of the sheet: `begleitblatt-2026-11-3`. */
export const coverSheetName = (sheet: CoverSheet): string =>
  `${pickTexts(labels, languageOf(sheet)).fileName}-${sheet.period.slice(0, 7)}-${sheet.number}`;

/** Returns the texts of a cover sheet. Both formats say the same. */
export function composeCoverSheet(sheet: CoverSheet) {
  const language = languageOf(sheet);
  const texts = pickTexts(labels, language);
  const { company, rows, totals } = sheet;
  const { region } = new Intl.Locale(company.locale);
  const times = new Intl.DateTimeFormat(region === undefined ? language : `${language}-${region}`, {
    ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: company.timeZone, calendar: 'gregory' },
  });
  const nameUser = (name: string) => ({ Operator: texts.operator, Erased: texts.erased })[name] ?? name;
  const describe = ({ at, by }: { at: string; by: string }) =>
    `${times.format(Date.parse(at))}, ${language === 'de' ? 'von' : 'by'} ${nameUser(by)}`;
  const month = wordingFor(company.locale).month(sheet.period);
  const facts: [label: string, value: string][] = [
    [texts.export, String(sheet.number)],
    [texts.system, systems[sheet.system]],
    [texts.file, sheet.fileName],
    [texts.employees, String(sheet.employees)],
    [texts.lines, String(sheet.lines)],
    [texts.exported, describe(sheet.exported)],
    ...(sheet.handedOver === null ? [] : [[texts.handedOver, describe(sheet.handedOver)] as [string, string]]),
    [texts.sha256, sheet.sha256],
  ];
  /** Only the kinds that occur. */
  const kinds = lineKinds.filter((kind) => totals[kind] !== 0 || rows.some((row) => row[kind] !== 0));
  return {
    ...{ language, texts, month, facts, kinds, rows, totals, company },
    isHandedOver: sheet.handedOver !== null,
    title: texts.title,
    sums: kinds.map((kind) => ({ label: descriptions[language][kind], cents: totals[kind] })),
    madeOn: new Date(sheet.exported.at),
  };
}

export type ComposedCoverSheet = ReturnType<typeof composeCoverSheet>;
