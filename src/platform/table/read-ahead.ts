/** Reads until enough is known. Returns what was read, and how to read everything after its first items. */
export async function readAhead<T>(items: AsyncIterable<T>, isEnough: (begun: readonly T[]) => boolean) {
  const rest = items[Symbol.asyncIterator]();
  const begun: T[] = [];
  while (!isEnough(begun)) {
    const next = await rest.next();
    if (next.done) break;
    begun.push(next.value);
  }
  async function* readAfter(count: number): AsyncGenerator<T> {
    yield* begun.slice(count);
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { begun, readAfter };
}
