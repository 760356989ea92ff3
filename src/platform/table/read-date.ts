/** The date by which HR systems such as SAP mean that there is none. */
const never = '9999-12-31';
const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?=$|[T\s])/;
const german = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?=$|\s)/;

const pad = (text: string) => text.padStart(2, '0');

/** Returns YYYY-MM-DD, or null for "never". Other text stays as it is, so that the checks report it. */
export function readDate(text: string): string | null {
  const [, year, month, day] = iso.exec(text) ?? [];
  const [, germanDay, germanMonth, germanYear] = german.exec(text) ?? [];
  const date =
    year && month && day
      ? `${year}-${pad(month)}-${pad(day)}`
      : germanDay && germanMonth && germanYear && `${germanYear}-${pad(germanMonth)}-${pad(germanDay)}`;
  if (!date) return text;
  return date === never ? null : date;
}
