import type pg from 'pg';

/** The part of pg's connection that its types do not declare. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

const chunkBytes = 2 ** 16;

/** Runs `COPY … FROM STDIN`, for which pg has no function, with the minimum of its protocol. */
export function copyIn(client: pg.Client, text: string, rows: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let failure: Error | undefined;
  const query = {
    submit: (wire: Wire) => wire.query(text),
    handleCopyInResponse(wire: Wire) {
      for (let at = 0; at < rows.length; at += chunkBytes) wire.sendCopyFromChunk(rows.subarray(at, at + chunkBytes));
      wire.endCopyFrom();
    },
    handleCommandComplete() {},
    handleError(error: Error) {
      failure = error;
      reject(error);
    },
    handleReadyForQuery() {
      if (failure === undefined) resolve();
    },
  };
  client.query(query as unknown as pg.Submittable);
  return promise;
}
