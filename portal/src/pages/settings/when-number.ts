/**
 * Calls `use` with the number. A number with trailing zeros arrives as text. Input that is not a number yet, such as an
 * empty field, changes nothing.
 */
export function whenNumber(value: number | string, use: (number: number) => void): void {
  if (value !== '' && Number.isFinite(Number(value))) use(Number(value));
}
