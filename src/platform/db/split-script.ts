/** Divides a script by PostgreSQL's own parser: the nodes of Citus refuse a text with several statements. */
export async function splitScript(text: string): Promise<string[]> {
  // Loaded only when a migration is to be applied: it takes longer than starting the rest of the service.
  const { parse } = await import('libpg-query');
  const { stmts = [] } = await parse(text);
  // The parser counts bytes.
  const bytes = Buffer.from(text);
  return stmts.map(({ stmt_location: start = 0, stmt_len: length }) =>
    bytes
      .subarray(start, length === undefined ? undefined : start + length)
      .toString()
      .trim(),
  );
}
