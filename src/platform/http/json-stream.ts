export async function* jsonArrayStream<Row>(
  batches: AsyncGenerator<Row[]>,
  present: (row: Row) => object,
): AsyncGenerator<string> {
  let separator = '{"data":[';
  for await (const rows of batches) {
    yield separator + JSON.stringify(rows.map(present)).slice(1, -1);
    separator = ',';
  }
  yield separator === ',' ? ']}' : `${separator}]}`;
}
