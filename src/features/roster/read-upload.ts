import type { FastifyRequest } from 'fastify';
import { type Roster, readRoster, receivePieces } from './read-roster.ts';
import { readRosterTable, type TableOptions } from './read-table.ts';
import { workbookType } from './rules/file/read-workbook.ts';

export const tableTypes = ['text/csv', workbookType];

export interface Upload {
  roster: Roster;
  /** Whether the upload contains its own syncId. */
  isNamed: boolean;
  /** The names of the columns of a table. */
  headings: string[];
}

/** Returns the first byte that is not white space, and the whole body again. */
async function peek(pieces: AsyncGenerator<Uint8Array>) {
  const seen: Uint8Array[] = [];
  let first: string | undefined;
  while (first === undefined) {
    const next = await pieces.next();
    if (next.done) break;
    seen.push(next.value);
    first = Buffer.from(next.value).toString('latin1').trimStart()[0];
  }
  async function* whole() {
    yield* seen;
    yield* pieces;
  }
  return { first, whole: whole() };
}

/** Reads a roster that a user uploads: a table, the body of the API's sync, or only its list of entries. */
export async function readUpload(
  body: AsyncIterable<Uint8Array>,
  { headers }: Pick<FastifyRequest, 'headers'>,
  options: TableOptions,
): Promise<Upload> {
  const isTable = tableTypes.some((type) => headers['content-type']?.startsWith(type));
  if (isTable) return { ...(await readRosterTable(body, options)), isNamed: false };
  const { first, whole } = await peek(receivePieces(body, options.maxBytes));
  const isList = first === '[';
  return { roster: await readRoster(whole, options, isList ? 'list' : 'object'), isNamed: !isList, headings: [] };
}
