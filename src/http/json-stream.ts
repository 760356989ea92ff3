/**
 * `{"data":[…]}` from batches of rows, written as they come. The first batch is awaited before anything is answered, so
 * that a failure up to there still gets a status of its own. A failure later breaks the stream and with it the
 * connection: the JSON is never closed as if it were whole.
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
  // Begun here, because a generator that nobody has begun does not end its batches when it is ended.
  await text.next();
  return text;
}
