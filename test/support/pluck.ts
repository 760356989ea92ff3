// biome-ignore lint/suspicious/noExplicitAny: tests take rows and bodies of any shape, and compare what they get.
type Rows = any[];

/** Returns a field of each row, or the list of several fields of each row. */
export const pluck = (rows: Readonly<Rows>, key: string, ...more: string[]): Rows =>
  rows.map((row) => (more.length === 0 ? row[key] : [key, ...more].map((one) => row[one])));
