import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Db, Tx } from '../db/database.ts';
import type { Page } from '../db/page.ts';
import { extendTimeout } from '../http/extend-timeout.ts';
import { FileOf } from './operation.ts';

/**
 * Exports of lists. The response has one line of JSON per record of all pages, from which the page makes a table in the
 * reader's language.
 */
const exportType = 'application/x-ndjson';
export const ExportedLines = FileOf(exportType);

const perPage = 1_000;

type ReadPage<Row> = (tx: Tx, page: { page: number; perPage: number }) => Promise<Page<Row>>;

/** Yields the rows of all pages, from one snapshot. */
async function* readPages<Row>(db: Db, read: ReadPage<Row>): AsyncGenerator<Row[]> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    for (let page = 1; ; page++) {
      const { rows, total } = await read(snapshot, { page, perPage });
      yield rows;
      if (page * perPage >= total) return;
    }
  } finally {
    await snapshot.rollback().execute();
  }
}

interface Source<Row> {
  db: Db;
  read: ReadPage<Row>;
  present: (row: Row) => object;
}

/**
 * Sends all records. Reads the first page before the response begins, so that a failure up to that point gets its own
 * status. A later failure breaks the connection, so that no table looks complete when it is not.
 */
export async function sendLines<Row>(reply: FastifyReply, { db, read, present }: Source<Row>) {
  const pages = readPages(db, read);
  const first = await pages.next();
  async function* write(): AsyncGenerator<string> {
    try {
      yield '';
      for (let next = first; !next.done; next = await pages.next()) {
        yield next.value.map((row) => `${JSON.stringify(present(row))}\n`).join('');
      }
    } finally {
      await pages.return(undefined);
    }
  }
  const text = write();
  // Start the generator here: one that has not started does not end its transaction when it is closed.
  await text.next();
  extendTimeout(reply);
  reply.header('cache-control', 'no-store').type(exportType);
  const body = Readable.from(text, { objectMode: false });
  // The client may have disconnected while the first page was read. Nothing else would then end the transaction.
  if (reply.raw.socket?.destroyed) body.destroy();
  // Typed as the file that the stream writes.
  return reply.send(body) as never;
}
