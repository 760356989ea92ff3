import { type ColumnField, columnFields } from '../../domain/choices.ts';

/** What people call the number in payroll, and also the only number that they have. */
const ambiguousNumbers = ['Personalnummer', 'Personal-Nr.', 'Pers.-Nr.', 'PersNr', 'PNr', 'Personnel Number'];

/** The names that HR systems give to the columns, separated by commas. */
const aliases: Record<ColumnField, string> = {
  hrId: `Mitarbeiternummer, Mitarbeiter-Nr., Mitarbeiter-ID, MA-Nr., Stammnummer, Employee ID, Employee Number,
    Employee No., Staff ID, Worker ID`,
  firstName: 'Vorname, Rufname, Given Name, Forename, Legal First Name',
  lastName: 'Nachname, Familienname, Zuname, Surname, Family Name, Legal Last Name',
  email: `E-Mail-Adresse, Mail, Mailadresse, E-Mail geschäftlich, E-Mail dienstlich, Geschäftliche E-Mail,
    Dienstliche E-Mail, Email Address, Work Email, Business Email, Company Email`,
  personnelNumber: `${ambiguousNumbers.join(', ')}, Lohn-Personalnummer, Lohnnummer, Payroll Number, Payroll ID`,
  dateOfBirth: 'Geburtsdatum, Geburtstag, Geb.-Datum, GebDat, Geboren am, Birthday, Birth Date, Birthdate, DOB',
  startDate: `Eintritt, Eintrittsdatum, Eintritt am, Einstellungsdatum, Beschäftigt seit, Erster Arbeitstag, Hire Date,
    Hired on, Entry Date, Employment Start, Employment Start Date, First Day of Work`,
  terminationDate: `Austritt, Austrittsdatum, Austritt am, Vertragsende, Letzter Arbeitstag, Beschäftigt bis, End Date,
    Exit Date, Leaving Date, Employment End, Employment End Date, Termination, Last Day of Work`,
  autoSyncEmployee: 'Jobticket, Deutschlandticket, Ticket, Abo, Abonnement, Subscription, Subscribe',
  absenceStart: `Elternzeit von, Elternzeit ab, Elternzeit Beginn, Beginn Elternzeit, Abwesend von, Abwesend ab,
    Abwesenheit von, Mutterschutz von, Sabbatical von, Parental Leave from, Parental Leave Start, Leave from,
    Leave Start, Absence from, Absence Start`,
  absenceEnd: `Elternzeit bis, Elternzeit Ende, Ende Elternzeit, Abwesend bis, Abwesenheit bis, Mutterschutz bis,
    Sabbatical bis, Parental Leave to, Parental Leave until, Parental Leave End, Leave to, Leave until, Leave End,
    Absence to, Absence until, Absence End`,
  absences: 'Abwesenheiten, Absences',
  group: 'Gruppe, Mitarbeitergruppe, Mitarbeiterkreis, Personengruppe, Employee Group',
  profileImage: 'Foto, Bild, Profilbild, Photo, Picture',
};

/** Treats `First Name`, `first_name` and `firstName` as one name, and `ä` like `ae`. */
export const headingKey = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '');

const fieldsByKey = new Map(
  columnFields.flatMap((field) =>
    [field, ...aliases[field].split(/,\s+/)].map((name): [string, ColumnField] => [headingKey(name), field]),
  ),
);

const ambiguousLastName = 'name';
const ambiguousKeys = new Set(ambiguousNumbers.map(headingKey));

/**
 * Returns the field of each heading, if it is recognised. `Name` beside a column of first names is the last name, as
 * German payroll systems write it. `Personalnummer` is the HR id, unless another column is: then it is the number in
 * payroll.
 */
export function recognizeHeadings(headings: readonly string[]): (ColumnField | undefined)[] {
  const keys = headings.map(headingKey);
  const found = keys.map((key) => fieldsByKey.get(key));
  const hasHrId = found.includes('hrId');
  const fields = found.map((field, index) => (!hasHrId && ambiguousKeys.has(keys[index] ?? '') ? 'hrId' : field));
  if (!fields.includes('firstName') || fields.includes('lastName')) return fields;
  return fields.map((field, index) => (keys[index] === ambiguousLastName ? 'lastName' : field));
}

export const countRecognized = (cells: readonly string[]): number =>
  recognizeHeadings(cells).filter((field) => field !== undefined).length;
