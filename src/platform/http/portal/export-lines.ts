import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import type { CompanyId } from '../../db/company-scope.ts';
import type { Db, RowSource, Tx } from '../../db/database.ts';
import type { Page } from '../../db/page.ts';
import { extendTimeout } from '../extend-timeout.ts';
import { holdSlot, type Slots } from '../slot-limits.ts';
import { sendSpooled } from '../spool.ts';
import { FileOf } from './operation.ts';

/**
 * Exports of lists. The response has one line of JSON per record of all pages, from which the page makes a table in the
 * reader's language.
 */
const exportType = 'application/x-ndjson';
export const ExportedLines = FileOf(exportType);

const perPage = 1_000;

interface Source<Row> {
  read: (tx: Tx, page: { page: number; perPage: number }) => Promise<Page<Row>>;
  present: (row: Row) => object;
}

/** Yields the rows of all pages as lines, from one snapshot. */
export async function* writeLines<Row>(db: Db, { read, present }: Source<Row>): AsyncGenerator<string> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    // A plan that was kept from a small list reads all records for each one of a large list.
    await sql`set local plan_cache_mode = force_custom_plan`.execute(snapshot);
    for (let page = 1; ; page++) {
      const { rows, total } = await read(snapshot, { page, perPage });
      yield rows.map((row) => `${JSON.stringify(present(row))}\n`).join('');
      if (page * perPage >= total) return;
    }
  } finally {
    await snapshot.rollback().execute();
  }
}

/** Returns a function that sends all records of a list to a user. */
export const createLineExport =
  ({ config, streaming, slots }: { config: Config; streaming: RowSource; slots: Slots }) =>
  async <Row>({ companyId, id }: { companyId: CompanyId; id: string }, reply: FastifyReply, source: Source<Row>) => {
    await holdSlot(slots.transfers, { companyId, name: id }, reply);
    extendTimeout(reply);
    const lines = slots.longRunning.stream({ companyId }, () => writeLines(streaming.db, source));
    reply.header('cache-control', 'no-store').type(exportType);
    // Typed as the file that the stream writes.
    return (await sendSpooled(reply, lines, config.spoolFolder)) as never;
  };
