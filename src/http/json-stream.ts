/**
 * Streams `{"data":[…]}` from batches of rows. Awaits the first batch before the response begins, so that a failure up
 * to that point still gets its own status. A later failure breaks the stream and with it the connection, so the JSON
 * never looks complete when it is not.
 */
export async function jsonArrayStream<Row>(
  batches: AsyncGenerator<Row[]>,
  present: (row: Row) => object,
): Promise<AsyncGenerator<string>> {
  const first = await batches.next();
  async function* write(): AsyncGenerator<string> {
    try {
      yield '';
      yield '{"data":[';
      let separator = '';
      for (let next = first; !next.done; next = await batches.next()) {
        yield separator + JSON.stringify(next.value.map(present)).slice(1, -1);
        separator = ',';
      }
      yield ']}';
    } finally {
      await batches.return(undefined);
    }
  }
  const text = write();
  // Start the generator here: one that has not started does not close its batches when it is closed.
  await text.next();
  return text;
}
