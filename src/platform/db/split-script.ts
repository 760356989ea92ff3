/**
 * Returns the statements of a script, as PostgreSQL's own parser divides it. Citus sends the text of a statement to its
 * nodes, and with several statements in one text that is the whole text, which the nodes refuse.
 */
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
