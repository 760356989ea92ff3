import { connect as connectSocket, type Socket } from 'node:net';
import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerHostKeyAlgorithm } from 'ssh2';
import SftpClient from 'ssh2-sftp-client';
import { findPathProblem, isPattern, matchesPattern } from '../../domain/connectors/file-pattern.ts';
import type { ProviderRecord } from '../../domain/connectors/map-record.ts';
import { listAttributes, type Mapping } from '../../domain/connectors/mapping.ts';
import { findFileProblem, findNewest, isSameState, type RosterFile } from '../../domain/connectors/roster-file.ts';
import { createMessage, type Message, type MessageKey } from '../../domain/messages/message.ts';
import { readCells, readColumns } from '../../domain/roster-file/columns.ts';
import { decodeText } from '../../domain/roster-file/decode-text.ts';
import { readDelimited } from '../../domain/roster-file/read-delimited.ts';
import { RosterFileError } from '../../domain/roster-file/roster-file-error.ts';
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

const incomplete = (what: Extract<MessageKey, `file-${string}`>, values: Record<string, string | number>) =>
  new ConnectorError('incomplete', createMessage('sftp-incomplete', { what, ...values }));

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
    throw new ConnectorError('unreachable', describeUnreachable(error, String(host)));
  }
}

function describeUnreachable(error: unknown, host: string): Message {
  if (error instanceof AddressNotAllowedError) return createMessage('sftp-private', { host });
  const { code } = error as { code?: string };
  if (code === undefined) return createMessage('sftp-no-answer', { host });
  return createMessage('sftp-unreachable', { host, error: code });
}

/** Says what a failed sign-in means. */
function describeSignIn(error: unknown, host: string, isOtherKey: boolean): ConnectorError {
  if (isOtherKey) return new ConnectorError('unexpected-response', createMessage('sftp-host-key', { host }));
  const text = error instanceof Error ? error.message : '';
  if (/authentication methods failed|privateKey|passphrase/i.test(text)) {
    return new ConnectorError('credentials-refused', createMessage('sftp-refused', { host }));
  }
  return new ConnectorError('unreachable', createMessage('sftp-ended-sign-in', { host }));
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
    throw describeSignIn(error, String(host), isOtherKey || hasNoSuchKey);
  }
}

/** Runs an operation within a time limit, and says what its failure means. */
async function withinTime<T>(operation: Promise<T>, path: string, signal: AbortSignal): Promise<T> {
  const timer = new AbortController();
  const late = sleep(readMillis, undefined, { signal: timer.signal }).then(
    () => Promise.reject(incomplete('file-slow', { path })),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([operation, late]);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConnectorError) throw error;
    const { message = '', code = '' } = error as { message?: string; code?: string | number };
    if (/permission denied/i.test(message) || code === 3) {
      throw new ConnectorError('permission-missing', createMessage('sftp-forbidden', { path }));
    }
    if (/no such file|not found|does not exist/i.test(message) || code === 'ENOENT') {
      throw incomplete('file-no-path', { path });
    }
    throw new ConnectorError('unreachable', createMessage('sftp-ended', { path }));
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
  // Credentials of an older release may contain a pattern that is refused today.
  const problem = findPathProblem(path);
  if (problem !== undefined) throw new ConnectorError('incomplete', problem);
  const name = posix.basename(path);
  if (isPattern(name)) return { folder: posix.dirname(path), pattern: name };
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
        .filter(({ name, type }) => type !== 'd' && matchesPattern(name, pattern))
        .map((one) => describe(posix.join(folder, one.name), one)),
    );
    if (newest === undefined) throw incomplete('file-none', { path: posix.join(folder, pattern) });
    return newest;
  }

  /** Returns the bytes of a file that did not change before, during and after it was read. */
  async function readSettled(file: RosterFile): Promise<Buffer> {
    if (file.bytes > maxFileBytes) throw incomplete('file-too-large', { name: file.name });
    await sleep(retryDelayMillis === undefined ? settleMillis : retryDelayMillis, undefined, { signal });
    const growing = () => incomplete('file-growing', { name: file.name });
    if (!isSameState(await findFile(), file)) throw growing();
    const bytes = await withinTime(client.get(file.name) as Promise<Buffer>, file.name, signal);
    if (bytes.length !== file.bytes || !isSameState(await findFile(), file)) throw growing();
    return bytes;
  }

  return { findFile, readSettled };
}

interface Table {
  columns: string[];
  rows: string[][];
}

/** Says what it means that a file cannot be read. */
function describeFileError(error: unknown, name: string): unknown {
  if (!(error instanceof RosterFileError)) return error;
  return incomplete(error.code === 'unclosed-quote' ? 'file-unclosed-quote' : 'file-not-table', { name });
}

async function readTable(bytes: Buffer, name: string): Promise<Table> {
  const rows: string[][] = [];
  try {
    for await (const { cells } of readDelimited(decodeText([bytes]))) rows.push(cells);
  } catch (error) {
    throw describeFileError(error, name);
  }
  const [columns, ...others] = rows;
  if (columns === undefined) throw incomplete('file-without-columns', { name });
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
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
    if (problem !== undefined) throw incomplete(problem.key, { name: file.name, ...problem.values });
    return { file, table: await readTable(await readSettled(file), file.name) };
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
      return [{ code: 'no-employees', what: null, message: createMessage('sftp-nobody', { name: file.name }) }];
    }
    return listAttributes(mapping)
      .filter((name) => !table.columns.includes(name))
      .map((name) => ({
        code: 'attribute-withheld' as const,
        what: name,
        message: createMessage('sftp-attribute', { file: file.name, name }),
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
  defaultMapping,
  open,
} as const satisfies Connector;
