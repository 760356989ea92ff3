/** One length for almost all statements, so that each text is prepared once and no statement has too many parameters. */
const rowsPerStatement = 200;

export function* batches<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) yield rows.slice(start, start + rowsPerStatement);
}
