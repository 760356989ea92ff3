import { connect as connectSocket, type Socket } from 'node:net';
import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import type { ServerHostKeyAlgorithm } from 'ssh2';
import SftpClient from 'ssh2-sftp-client';
import type { ProviderRecord } from '../../domain/connectors/map-record.ts';
import { listAttributes, type Mapping } from '../../domain/connectors/mapping.ts';
import { findFileProblem, findNewest, isSameState, type RosterFile } from '../../domain/connectors/roster-file.ts';
import { readCells, readColumns } from '../../domain/roster/csv.ts';
import { AddressNotAllowedError, assertLiteralAllowed, createLookup } from '../../outgoing/addresses.ts';
import type {
  Connection,
  ConnectionProblem,
  Connector,
  Credentials,
  Description,
  OpenOptions,
  ReadPage,
  ReadRequest,
} from './connector.ts';
import { ConnectorError } from './connector-error.ts';
import { isRecord } from './json-value.ts';
import { parseHostKey } from './ssh-host-key.ts';

/**
 * Reads a CSV file that the company's HR system exports to an SFTP server. Attributes are the names of its columns.
 * Whatever makes the file doubtful is a failure: an employee who is missing from it would be removed.
 */

const title = 'the SFTP server';
const connectMillis = 15_000;
const readMillis = 120_000;
const maxFileBytes = 128 * 1024 * 1024;
/** A file that is still written changes within this time. */
const settleMillis = 3_000;
const pageSize = 1_000;

const defaultMapping: Mapping = {
  fields: {
    hrId: 'hrId',
    firstName: 'firstName',
    lastName: 'lastName',
    email: 'email',
    dateOfBirth: null,
    startDate: 'startDate',
    terminationDate: 'terminationDate',
    profileImage: null,
  },
  include: [],
  autoSyncEmployee: null,
  absences: { types: 'all' },
};

const incomplete = (what: string) =>
  new ConnectorError('incomplete', `${what}. Nothing was changed. It will be tried again.`);

/** Connects to an address that was checked, so that a second response of the resolver changes nothing. */
async function openSocket({ host, port }: Credentials, { allowsPrivateHosts, signal }: OpenOptions): Promise<Socket> {
  const rules = { allowPrivate: allowsPrivateHosts };
  try {
    assertLiteralAllowed(String(host), rules);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(connectMillis)]);
    const socket = connectSocket({
      host: String(host),
      port: Number(port ?? 22),
      noDelay: true,
      lookup: createLookup(rules),
      signal: deadline,
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    return socket;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AddressNotAllowedError) {
      const message = `${error.message}. Use a server that the Internet can reach.`;
      throw new ConnectorError('unreachable', message);
    }
    const { code = 'no answer' } = error as { code?: string };
    throw new ConnectorError('unreachable', `${host} could not be reached (${code}). It will be tried again.`);
  }
}

/** Says what a failed sign-in means. */
function describeSignIn(error: unknown, host: unknown, isOtherKey: boolean): ConnectorError {
  if (isOtherKey) {
    const message = `The host key of ${host} is not the one that was given. Ask its operator, and connect again with the new key if the change is theirs.`;
    return new ConnectorError('unexpected-response', message);
  }
  const text = error instanceof Error ? error.message : '';
  if (/authentication methods failed|privateKey|passphrase/i.test(text)) {
    return new ConnectorError(
      'credentials-refused',
      `${host} refused the user, or its password or key. Correct them and connect again.`,
    );
  }
  return new ConnectorError('unreachable', `${host} ended the connection during the sign-in. It will be tried again.`);
}

interface Session {
  client: SftpClient;
  sock: Socket;
}

async function signIn(credentials: Credentials, options: OpenOptions): Promise<Session> {
  const { host, user, password, privateKey, hostKey } = credentials;
  const known = parseHostKey(String(hostKey));
  const sock = await openSocket(credentials, options);
  const client = new SftpClient('roster', { error: () => {}, end: () => {}, close: () => {} });
  let isOtherKey = false;
  try {
    await client.connect({
      sock,
      username: String(user),
      ...(password === undefined ? {} : { password: String(password) }),
      ...(privateKey === undefined ? {} : { privateKey: `${privateKey}\n` }),
      ...(known?.algorithms && { algorithms: { serverHostKey: known.algorithms as ServerHostKeyAlgorithm[] } }),
      readyTimeout: connectMillis,
      hostVerifier: (key: Buffer) => {
        isOtherKey = known?.matches(key) !== true;
        return !isOtherKey;
      },
    });
    return { client, sock };
  } catch (error) {
    sock.destroy();
    // A server without a key of the pinned kind ends the negotiation.
    const hasNoSuchKey = error instanceof Error && /no matching host key/i.test(error.message);
    throw describeSignIn(error, host, isOtherKey || hasNoSuchKey);
  }
}

/** Runs an operation within a time limit, and says what its failure means. */
async function withinTime<T>(operation: Promise<T>, path: string, signal: AbortSignal): Promise<T> {
  const timer = new AbortController();
  const late = sleep(readMillis, undefined, { signal: timer.signal }).then(
    () => Promise.reject(incomplete(`${title} took too long to send ${path}`)),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([operation, late]);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConnectorError) throw error;
    const { message = '', code = '' } = error as { message?: string; code?: string | number };
    if (/permission denied/i.test(message) || code === 3) {
      const detail = `The user may not read ${path}. Ask the operator of the server for the right to read it.`;
      throw new ConnectorError('permission-missing', detail);
    }
    if (/no such file|not found|does not exist/i.test(message) || code === 'ENOENT') {
      throw incomplete(`There is no ${path} on ${title}: check the path`);
    }
    throw new ConnectorError(
      'unreachable',
      `${title} ended the connection while ${path} was read. It will be tried again.`,
    );
  } finally {
    timer.abort();
  }
}

interface Place {
  folder: string;
  /** Of the names of files. */
  pattern: string;
}

/** Returns where to look: a path with a pattern in its last part, a folder, or a single file. */
async function locate(client: SftpClient, path: string, signal: AbortSignal): Promise<Place | string> {
  const name = posix.basename(path);
  if (/[*?[{]/.test(name)) return { folder: posix.dirname(path), pattern: name };
  const { isDirectory } = await withinTime(client.stat(path), path, signal);
  return isDirectory ? { folder: path, pattern: '*.csv' } : path;
}

/** Finds the newest file that matches, and looks twice whether it is still written. */
function createFiles(client: SftpClient, path: string, { signal, retryDelayMillis }: OpenOptions) {
  const describe = (name: string, { size, modifyTime }: { size: number; modifyTime: number }): RosterFile => ({
    name,
    bytes: size,
    modifiedAt: Temporal.Instant.fromEpochMilliseconds(modifyTime),
  });

  async function findFile(): Promise<RosterFile> {
    const place = await locate(client, path, signal);
    if (typeof place === 'string') return describe(place, await withinTime(client.stat(place), place, signal));
    const { folder, pattern } = place;
    const listed = await withinTime(client.list(folder), folder, signal);
    const newest = findNewest(
      listed
        .filter(({ name, type }) => type !== 'd' && posix.matchesGlob(name, pattern))
        .map((one) => describe(posix.join(folder, one.name), one)),
    );
    if (newest === undefined) throw incomplete(`There is no file ${posix.join(folder, pattern)} on ${title}`);
    return newest;
  }

  /** Returns the bytes of a file that did not change before, during and after it was read. */
  async function readSettled(file: RosterFile): Promise<Buffer> {
    if (file.bytes > maxFileBytes) throw incomplete(`${file.name} is larger than 128 MB`);
    await sleep(retryDelayMillis === undefined ? settleMillis : retryDelayMillis, undefined, { signal });
    const growing = () => incomplete(`${file.name} is still being written`);
    if (!isSameState(await findFile(), file)) throw growing();
    const bytes = await withinTime(client.get(file.name) as Promise<Buffer>, file.name, signal);
    if (bytes.length !== file.bytes || !isSameState(await findFile(), file)) throw growing();
    return bytes;
  }

  return { findFile, readSettled };
}

/** Decodes UTF-8, with and without a byte order mark, and what German spreadsheets write otherwise. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Returns the delimiter that the line of the columns contains most often. */
const delimiterOf = (text: string) => {
  const header = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return [';', ',', '\t'].toSorted((a, b) => header.split(b).length - header.split(a).length)[0] ?? ',';
};

interface Table {
  columns: string[];
  rows: string[][];
}

function readTable(bytes: Buffer, name: string): Table {
  const text = decode(bytes);
  let rows: string[][];
  try {
    rows = parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      bom: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    });
  } catch {
    throw incomplete(`${name} has a quotation mark that is not closed: it may have been cut off`);
  }
  const [columns, ...others] = rows;
  if (columns === undefined) throw incomplete(`${name} is empty: its first line must name the columns`);
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) throw incomplete(`${name} has the column "${twice}" twice`);
  const wrong = others.findIndex((cells) => cells.length !== columns.length);
  if (wrong >= 0) {
    const found = others[wrong]?.length;
    throw incomplete(
      `Record ${wrong + 1} of ${name} has ${found} cells instead of ${columns.length}: it may have been cut off`,
    );
  }
  return { columns, rows: others };
}

/** Reads absences as rosters write them in a cell: `2026-01-01/2026-03-31`. Without such a column, none are known. */
function absencesOf({ columns }: Table, cells: string[]): ProviderRecord['absences'] {
  const index = columns.findIndex((name) => name.toLowerCase() === 'absences');
  if (index < 0) return undefined;
  const { absences } = readCells(readColumns(['absences']), [cells[index] ?? '']);
  const listed = (absences ?? []) as { startDate: string; endDate: string | null; approved: boolean }[];
  return listed.map(({ startDate, endDate, approved }) => ({
    typeId: '',
    typeName: null,
    startDate,
    endDate,
    approved,
  }));
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
  let session: Session | undefined;
  const path = String(credentials.path);

  async function openFiles() {
    session ??= await signIn(credentials, options);
    return createFiles(session.client, path, options);
  }

  async function readFile(lastBytes: number | undefined) {
    const { findFile, readSettled } = await openFiles();
    const file = await findFile();
    const problem = findFileProblem(file, lastBytes, Temporal.Now.instant());
    if (problem !== undefined) throw incomplete(`${file.name} ${problem}`);
    return { file, table: readTable(await readSettled(file), file.name) };
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
    const { table, file } = await readFile(undefined);
    if (table.rows.length === 0) {
      return [{ code: 'no-employees', what: null, detail: `${file.name} lists nobody. Export it again.` }];
    }
    return listAttributes(mapping)
      .filter((name) => !table.columns.includes(name))
      .map((name) => ({
        code: 'attribute-withheld' as const,
        what: name,
        detail: `${file.name} has no column \`${name}\`. Add it to the export, or choose another one in the mapping.`,
      }));
  }

  async function describe(): Promise<Description> {
    const { table } = await readFile(undefined);
    return { fields: table.columns.map((name) => ({ name, label: name, type: null })), absenceTypes: [] };
  }

  return {
    check,
    describe,
    read,
    async close() {
      // Saying good-bye may take a second, and nobody waits for it.
      session?.client.end().catch(() => {});
      session?.sock.destroy();
    },
  };
}

function findCredentialProblem({ password, privateKey, hostKey }: Credentials): string | undefined {
  if ((password === undefined) === (privateKey === undefined)) return 'Give either password or privateKey.';
  if (parseHostKey(String(hostKey)) === undefined)
    return 'hostKey must be the key of the server as "ssh-keyscan HOST" prints it, or its fingerprint (SHA256:…).';
  return undefined;
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
  defaultMapping,
  open,
} as const satisfies Connector;
