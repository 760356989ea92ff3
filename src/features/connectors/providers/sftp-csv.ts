import { posix } from 'node:path';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { findPathProblem } from '../../../platform/sftp/file-pattern.ts';
import { listFiles, locate, type RemoteFile, readSettled } from '../../../platform/sftp/files.ts';
import { parseHostKey } from '../../../platform/sftp/host-key.ts';
import {
  incomplete,
  SftpError,
  type SftpServer,
  type SftpSession,
  signIn,
  withinTime,
} from '../../../platform/sftp/session.ts';
import { decodeText } from '../../../platform/table/decode-text.ts';
import { readDelimited } from '../../../platform/table/read-delimited.ts';
import { TableError } from '../../../platform/table/table-row.ts';
import { readCells, readColumns } from '../../roster/rules/file/columns.ts';
import type { ProviderRecord } from '../rules/map-record.ts';
import { listAttributes, type Mapping } from '../rules/mapping.ts';
import { findFileProblem, findNewest } from '../rules/roster-file.ts';
import { createDefaultMapping } from './api-connection.ts';
import {
  type Connection,
  type ConnectionProblem,
  type Connector,
  ConnectorError,
  type Credentials,
  type Description,
  type OpenOptions,
  type ReadPage,
  type ReadRequest,
} from './connector.ts';
import { isRecord } from './http-client.ts';

/**
 * Reads a CSV file that the company's HR system exports to an SFTP server. Attributes are the names of its columns.
 * Whatever makes the file doubtful is a failure: an employee who is missing from it would be removed.
 */

const pageSize = 1_000;

interface Table {
  columns: string[];
  rows: string[][];
}

async function readTable(bytes: Buffer, name: string): Promise<Table> {
  const rows: string[][] = [];
  try {
    for await (const { cells } of readDelimited(decodeText([bytes]))) rows.push(cells);
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    throw incomplete(error.code === 'unclosed-quote' ? 'file-unclosed-quote' : 'file-not-table', { name });
  }
  const [columns, ...others] = rows;
  if (columns === undefined) throw incomplete('file-without-columns', { name });
  const seen = new Set<string>();
  const twice = columns.find((column) => seen.size === seen.add(column).size);
  if (twice !== undefined) throw incomplete('file-repeated-column', { name, column: twice });
  const wrong = others.findIndex((cells) => cells.length !== columns.length);
  if (wrong >= 0) {
    const found = others[wrong]?.length ?? 0;
    throw incomplete('file-cells', { record: wrong + 1, name, found, columns: columns.length });
  }
  return { columns, rows: others };
}

/** Reads absences as rosters write them in a cell: `2026-01-01/2026-03-31`. Without such a column, none are known. */
function absencesOf({ columns }: Table, cells: string[]): ProviderRecord['absences'] {
  const index = columns.findIndex((name) => name.toLowerCase() === 'absences');
  if (index < 0) return undefined;
  const { absences } = readCells(readColumns(['absences']), [cells[index] ?? '']);
  const listed = (absences ?? []) as { startDate: string; endDate: string | null; approved: boolean }[];
  return listed.map((absence) => ({ ...absence, typeId: '', typeName: null }));
}

/** An attribute without a column is left out. An empty cell is null. */
function toRecord(table: Table, cells: string[], request: ReadRequest): ProviderRecord {
  const attributes: Record<string, string | null> = {};
  for (const name of request.attributes) {
    const index = table.columns.indexOf(name);
    const cell = cells[index];
    if (index >= 0) attributes[name] = cell === undefined || cell === '' ? null : cell;
  }
  const absences = request.absences === null ? undefined : absencesOf(table, cells);
  return { attributes, ...(absences === undefined ? {} : { absences }) };
}

const bytesOf = (memory: unknown) => (isRecord(memory) && typeof memory.bytes === 'number' ? memory.bytes : undefined);

function open(credentials: Credentials, options: OpenOptions): Connection {
  const { signal } = options;
  const path = String(credentials.path);
  let session: SftpSession | undefined;

  async function findFile(sftp: SftpSession['sftp']): Promise<RemoteFile> {
    const place = await withinTime(locate(sftp, path), path, signal);
    if (!('folder' in place)) return place;
    const newest = findNewest(await withinTime(listFiles(sftp, place), place.folder, signal));
    if (newest === undefined) throw incomplete('file-none', { path: posix.join(place.folder, place.pattern) });
    return newest;
  }

  async function readFile(lastBytes?: number) {
    try {
      session ??= await signIn(credentials as unknown as SftpServer, options);
      const { sftp } = session;
      const file = await findFile(sftp);
      const problem = findFileProblem(file, lastBytes, Temporal.Now.instant());
      if (problem !== undefined) throw incomplete(problem.key, { name: file.name, ...problem.values });
      const find = () => findFile(sftp);
      const bytes = await readSettled(sftp, file, { find, signal, millis: options.retryDelayMillis });
      return { file, table: await readTable(bytes, file.name) };
    } catch (error) {
      throw error instanceof SftpError ? new ConnectorError(error.code, error.explanation) : error;
    }
  }

  async function* read(request: ReadRequest): AsyncGenerator<ReadPage> {
    const { file, table } = await readFile(bytesOf(request.last.memory));
    const total = table.rows.length;
    for (let start = 0; start < total; start += pageSize) {
      const records = table.rows.slice(start, start + pageSize).map((cells) => toRecord(table, cells, request));
      yield { records, total, memory: { bytes: file.bytes } };
    }
  }

  async function check(mapping: Mapping): Promise<ConnectionProblem[]> {
    const { table, file } = await readFile();
    if (table.rows.length === 0) {
      return [{ code: 'no-employees', what: null, message: createMessage('sftp-nobody', { name: file.name }) }];
    }
    const missing = listAttributes(mapping).filter((name) => !table.columns.includes(name));
    const describe = (name: string) => createMessage('sftp-attribute', { file: file.name, name });
    return missing.map((name) => ({ code: 'attribute-withheld', what: name, message: describe(name) }));
  }

  async function describe(): Promise<Description> {
    const { table } = await readFile();
    return { fields: table.columns.map((name) => ({ name, label: name, type: null })), absenceTypes: [] };
  }

  const close = async () => void session?.sock.destroy();
  return { check, describe, read, close };
}

function findCredentialProblem({ password, privateKey, hostKey, path }: Credentials): Message | undefined {
  if ((password === undefined) === (privateKey === undefined)) return createMessage('credentials-either');
  if (parseHostKey(String(hostKey)) === undefined) return createMessage('credentials-host-key');
  return findPathProblem(String(path));
}

export const sftpCsv = {
  provider: 'sftp-csv',
  title: 'CSV over SFTP',
  origin: null,
  credentialFields: [
    { name: 'host', isSecret: false },
    { name: 'port', isSecret: false, isOptional: true, kind: 'port' },
    { name: 'user', isSecret: false },
    { name: 'password', isSecret: true, isOptional: true },
    { name: 'privateKey', isSecret: true, isOptional: true },
    { name: 'hostKey', isSecret: false },
    { name: 'path', isSecret: false },
  ],
  findCredentialProblem,
  defaultMapping: createDefaultMapping({
    hrId: 'hrId',
    firstName: 'firstName',
    lastName: 'lastName',
    email: 'email',
    startDate: 'startDate',
    terminationDate: 'terminationDate',
  }),
  open,
} as const satisfies Connector;
