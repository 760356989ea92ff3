import { type FileLine, formatAmount } from './file-line.ts';

/**
 * Writes the files that DATEV imports, by the public descriptions of both interfaces. docs/payroll.md explains every
 * field, and what the tax adviser has to confirm.
 */

/** Formats the first day of a month as DATEV writes it: `01/11/2026`. */
const formatDate = (period: string) => period.split('-').toReversed().join('/');

/** The processing key (Bearbeitungsschlüssel) of an amount; 1 would be hours, 2 days. */
const amountKey = 3;

export interface LodasHeader {
  consultant: number;
  client: number;
  period: string;
}

const lodasHeader = ({ consultant, client }: LodasHeader) => [
  '[Allgemein]',
  'Ziel=LODAS',
  'Version_SST=1.0',
  `BeraterNr=${consultant}`,
  `MandantenNr=${client}`,
  'Datumsformat=TT/MM/JJJJ',
  'Feldtrennzeichen=;',
  'Zahlenkomma=,',
  '',
  '[Satzbeschreibung]',
  '1;u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;bs_wert_butab#bwd;bs_nr#bwd;la_eigene#bwd;pnr#bwd;',
  '',
  '[Bewegungsdaten]',
];

/** Yields the lines of a file of movement data (Bewegungsdaten) for LODAS. */
export function* formatLodas(lines: Iterable<FileLine>, header: LodasHeader): Generator<string> {
  for (const line of lodasHeader(header)) yield `${line}\r\n`;
  const date = formatDate(header.period);
  for (const { personnelNumber, wageType, cents } of lines) {
    yield `1;${date};${formatAmount(cents)};${amountKey};${wageType};${personnelNumber};\r\n`;
  }
}

/**
 * Yields records of eleven fields for Lohn und Gehalt: Personalnummer, Kalendertag, Ausfallschlüssel, Lohnartennummer,
 * Stundenanzahl, Tagesanzahl, Wert, Abw. Faktor, Abw. Lohnveränderung, Kostenstelle, Kostenträger.
 */
export function* formatLohnUndGehalt(lines: Iterable<FileLine>, period: string): Generator<string> {
  const date = formatDate(period);
  for (const { personnelNumber, wageType, cents } of lines) {
    const cells = [personnelNumber, date, '', wageType, '', '', formatAmount(cents), '', '', '', ''];
    yield `${cells.join(';')}\r\n`;
  }
}
