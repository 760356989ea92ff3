import { type FileLine, formatAmount } from './file-line.ts';

/**
 * Writes the files that DATEV imports, by the public descriptions of both interfaces. docs/payroll.md explains every
 * field, and what the tax adviser has to confirm.
 */

const join = (lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join('');

/** Formats the first day of a month as DATEV writes it: `01/11/2026`. */
const formatDate = (period: string) => period.split('-').toReversed().join('/');

/** The processing key (Bearbeitungsschlüssel) of an amount; 1 would be hours, 2 days. */
const amountKey = 3;

export interface LodasHeader {
  consultant: number;
  client: number;
  period: string;
}

/** Formats a file of movement data (Bewegungsdaten) for LODAS. */
export const formatLodas = (lines: readonly FileLine[], { consultant, client, period }: LodasHeader): string =>
  join([
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
    ...lines.map(
      ({ personnelNumber, wageType, cents }) =>
        `1;${formatDate(period)};${formatAmount(cents)};${amountKey};${wageType};${personnelNumber};`,
    ),
  ]);

/**
 * Formats records of eleven fields for Lohn und Gehalt: Personalnummer, Kalendertag, Ausfallschlüssel, Lohnartennummer,
 * Stundenanzahl, Tagesanzahl, Wert, Abw. Faktor, Abw. Lohnveränderung, Kostenstelle, Kostenträger.
 */
export const formatLohnUndGehalt = (lines: readonly FileLine[], period: string): string =>
  join(
    lines.map(({ personnelNumber, wageType, cents }) =>
      [personnelNumber, formatDate(period), '', wageType, '', '', formatAmount(cents), '', '', '', ''].join(';'),
    ),
  );
