import { posix } from 'node:path';
import { sql } from 'kysely';
import { service } from '../../domain/actor.ts';
import { firstOfMonth } from '../../domain/calendar.ts';
import { createMessage, type Message } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import type { SftpClient } from '../../platform/sftp/client.ts';
import { SftpError } from '../../platform/sftp/session.ts';
import type { SentFile } from '../../platform/sftp/thread.ts';
import { getCompany } from '../companies/companies.ts';
import type { OpenOptions } from './providers/issuer.ts';
import { importReturnedList, maxReturnedBytes } from './returned-files.ts';
import { pathOfMonth, type SftpDelivery } from './rules/delivery.ts';

/** More files of a month than any issuer returns. The others come with the next look. */
const maxFiles = 50;

interface FetchedFile {
  companyId: CompanyId;
  month: string;
  file: SentFile;
}

const timeOf = ({ modifiedMillis }: SentFile) => Temporal.Instant.fromEpochMilliseconds(modifiedMillis).toString();

/** Lists the months in which somebody waits for a ticket, the present one and later. */
async function listWaitingMonths(db: Db, companyId: CompanyId): Promise<string[]> {
  const present = firstOfMonth((await getCompany(db, companyId)).processedThrough).toString();
  const { rows } = await sql<{ month: string }>`
    select distinct o.month from ticket_orders o
    where ${ofCompany(companyId, 'o')} and o.month >= ${present}::date and o.state = any(${['ordered', 'failed']})
    order by o.month`.execute(db);
  return rows.map(({ month }) => month);
}

async function isKnown(db: Db, { companyId, month, file }: FetchedFile): Promise<boolean> {
  const { rows } = await sql`
    select from fetched_files f where ${ofCompany(companyId, 'f')} and f.month = ${month}::date and f.path = ${file.path}
      and f.bytes = ${file.bytes} and f.modified_at = ${timeOf(file)}::timestamptz`.execute(db);
  return rows.length > 0;
}

/** Remembers the state of a file, so that it is not read again until it changes. */
const recordFile = (db: Db, { companyId, month, file }: FetchedFile, now: string, problem: Message | null) =>
  writeCompany(db, companyId, (tx) =>
    sql`
    insert into fetched_files as f (company_id, month, path, bytes, modified_at, fetched_at, problem)
    values (${companyId}, ${month}::date, ${file.path}, ${file.bytes}, ${timeOf(file)}::timestamptz, ${now}::timestamptz,
      ${problem === null ? null : JSON.stringify(problem)}::jsonb)
    on conflict (company_id, month, path) do update set bytes = excluded.bytes, modified_at = excluded.modified_at,
      fetched_at = excluded.fetched_at, problem = excluded.problem`.execute(tx),
  );

/** Lists the files of a path. A folder or file that is not there yet has none. */
async function listReturned(client: SftpClient, path: string): Promise<SentFile[]> {
  try {
    return await client.list(path);
  } catch (error) {
    if (error instanceof SftpError && error.explanation.values.what === 'file-no-path') return [];
    throw error;
  }
}

/** Reads a file and applies it, by the same way as an uploaded one. Returns why it cannot be, or null. */
async function applyFile({ db, clock, companyId }: OpenOptions, client: SftpClient, { month, file }: FetchedFile) {
  if (file.bytes > maxReturnedBytes) return createMessage('returned-too-large', { limit: maxReturnedBytes });
  const bytes = await client.read(file.path);
  const list = {
    month: Temporal.PlainDate.from(month),
    bytes,
    name: posix.basename(file.path),
    origin: 'sftp' as const,
  };
  try {
    await importReturnedList(db, companyId, list, { actor: service, at: clock.now() });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.explanation === undefined) throw error;
    return error.explanation;
  }
}

/**
 * Fetches the lists that the issuer has put on the server for months in which somebody waits, each once. A file that is
 * empty or still being written is read next time. Returns whether somebody waits, so that it is to be looked at again.
 */
export async function fetchReturned(
  options: OpenOptions,
  { returned }: SftpDelivery,
  client: SftpClient,
): Promise<boolean> {
  const { db, clock, companyId } = options;
  const months = returned === null ? [] : await listWaitingMonths(db, companyId);
  for (const month of months) {
    const path = pathOfMonth(returned ?? '', Temporal.PlainDate.from(month));
    const files = (await listReturned(client, path)).toSorted((a, b) => a.modifiedMillis - b.modifiedMillis);
    let read = 0;
    for (const file of files) {
      const fetched = { companyId, month, file };
      if (file.bytes === 0 || read >= maxFiles || (await isKnown(db, fetched))) continue;
      read += 1;
      try {
        const problem = await applyFile(options, client, fetched);
        await recordFile(db, fetched, clock.now().toString(), problem);
      } catch (error) {
        if (!(error instanceof SftpError && error.code === 'incomplete')) throw error;
      }
      options.signal.throwIfAborted();
    }
  }
  return months.length > 0;
}
