import { connect as connectSocket, type Socket } from 'node:net';
import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import ssh2, { type FileEntryWithStats, type ServerHostKeyAlgorithm, type SFTPWrapper, type Stats } from 'ssh2';
import { createMessage, type Message, type MessageKey } from '../../../domain/messages/message.ts';
import { AddressNotAllowedError, assertLiteralAllowed, createLookup } from '../../../platform/outgoing/addresses.ts';
import { decodeText } from '../../../platform/table/decode-text.ts';
import { readDelimited } from '../../../platform/table/read-delimited.ts';
import { TableError } from '../../../platform/table/table-row.ts';
import { readCells, readColumns } from '../../roster/rules/file/columns.ts';
import type { ProviderRecord } from '../rules/map-record.ts';
import { listAttributes, type Mapping } from '../rules/mapping.ts';
import {
  findFileProblem,
  findNewest,
  findPathProblem,
  isPattern,
  isSameState,
  matchesPattern,
  type RosterFile,
} from '../rules/roster-file.ts';
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
import { parseHostKey } from './ssh-host-key.ts';

/**
 * Reads a CSV file that the company's HR system exports to an SFTP server. Attributes are the names of its columns.
 * Whatever makes the file doubtful is a failure: an employee who is missing from it would be removed.
 */

const defaultConnectMillis = 15_000;
const readMillis = 120_000;
const maxFileBytes = 128 * 1024 * 1024;
const maxListedFiles = 10_000;
const { NO_SUCH_FILE, PERMISSION_DENIED, EOF: END_OF_FILE } = ssh2.utils.sftp.STATUS_CODE;
/** A file that is still written changes within this time. */
const settleMillis = 3_000;
const pageSize = 1_000;

const incomplete = (what: Extract<MessageKey, `file-${string}`>, values: Record<string, string | number>) =>
  new ConnectorError('incomplete', createMessage('sftp-incomplete', { what, ...values }));

/** Connects to the address that was checked, whatever the resolver says later. The limit is for connecting only. */
async function openSocket({ host, port }: Credentials, options: OpenOptions): Promise<Socket> {
  const { allowsPrivateHosts, signal, connectMillis = defaultConnectMillis } = options;
  const rules = { allowPrivate: allowsPrivateHosts };
  try {
    assertLiteralAllowed(String(host), rules);
    const socket = connectSocket({
      host: String(host),
      port: Number(port ?? 22),
      noDelay: true,
      lookup: createLookup(rules),
      signal,
    });
    const late = setTimeout(() => socket.destroy(new Error('no answer')), connectMillis);
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve).once('error', reject);
      });
    } finally {
      clearTimeout(late);
    }
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

function describeSignIn(error: unknown, host: string, isOtherKey: boolean): ConnectorError {
  if (isOtherKey) return new ConnectorError('unexpected-response', createMessage('sftp-host-key', { host }));
  const text = error instanceof Error ? error.message : '';
  if (/authentication methods failed|privateKey|passphrase/i.test(text)) {
    return new ConnectorError('credentials-refused', createMessage('sftp-refused', { host }));
  }
  return new ConnectorError('unreachable', createMessage('sftp-ended-sign-in', { host }));
}

interface Session {
  sftp: SFTPWrapper;
  sock: Socket;
}

async function signIn(credentials: Credentials, options: OpenOptions): Promise<Session> {
  const { host, user, password, privateKey, hostKey } = credentials;
  const known = parseHostKey(String(hostKey));
  const sock = await openSocket(credentials, options);
  const { connectMillis = defaultConnectMillis } = options;
  const client = new ssh2.Client();
  const late = setTimeout(() => sock.destroy(), connectMillis);
  let isOtherKey = false;
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.once('ready', () => client.sftp((error, opened) => (error ? reject(error) : resolve(opened))));
      // An error after the sign-in fails the operation in progress too.
      client.on('error', reject).once('close', () => reject(new Error('closed')));
      client.connect({
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
    });
    // What is no SFTP at all ends the connection, and so the operation in progress.
    sftp.on('error', () => sock.destroy());
    return { sftp, sock };
  } catch (error) {
    sock.destroy();
    options.signal.throwIfAborted();
    // A server without a key of the pinned kind ends the negotiation.
    const hasNoSuchKey = error instanceof Error && /no matching host key/i.test(error.message);
    throw describeSignIn(error, String(host), isOtherKey || hasNoSuchKey);
  } finally {
    clearTimeout(late);
  }
}

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
    const { code } = error as { code?: string | number };
    if (code === PERMISSION_DENIED) {
      throw new ConnectorError('permission-missing', createMessage('sftp-forbidden', { path }));
    }
    if (code === NO_SUCH_FILE) throw incomplete('file-no-path', { path });
    throw new ConnectorError('unreachable', createMessage('sftp-ended', { path }));
  } finally {
    timer.abort();
  }
}

/** `pattern`: of the names of files. */
interface Place {
  folder: string;
  pattern: string;
}

/** Returns where to look: a path with a pattern in its last part, a folder, or a single file. */
async function locate(sftp: SFTPWrapper, path: string): Promise<Place | RosterFile> {
  const problem = findPathProblem(path);
  if (problem !== undefined) throw new ConnectorError('incomplete', problem);
  const name = posix.basename(path);
  if (isPattern(name)) return { folder: posix.dirname(path), pattern: name };
  const stats = await promisify<string, Stats>(sftp.stat).call(sftp, path);
  return stats.isDirectory() ? { folder: path, pattern: '*.csv' } : describeFile(path, stats);
}

/** A server may leave size and time out. Such a file is refused as empty or old. */
const describeFile = (name: string, { size = 0, mtime = 0 }: Partial<Stats>): RosterFile => ({
  name,
  bytes: size,
  modifiedAt: Temporal.Instant.fromEpochMilliseconds(mtime * 1000),
});

/** Lists the files that match, one part of the folder after another. Stops at a folder that has no end. */
async function listFiles(sftp: SFTPWrapper, { folder, pattern }: Place): Promise<RosterFile[]> {
  const handle = await promisify<string, Buffer>(sftp.opendir).call(sftp, folder);
  const readPart = promisify<Buffer, FileEntryWithStats[]>(sftp.readdir);
  const files: RosterFile[] = [];
  for (let listed = 0; listed <= maxListedFiles; ) {
    const part = await readPart.call(sftp, handle).catch((error: { code?: number }) => {
      if (error.code === END_OF_FILE) return undefined;
      throw error;
    });
    if (part === undefined) {
      sftp.close(handle, () => {});
      return files;
    }
    // A part without names counts too.
    listed += Math.max(1, part.length);
    for (const { filename, attrs } of part) {
      if (attrs.isDirectory() || !matchesPattern(filename, pattern)) continue;
      files.push(describeFile(posix.join(folder, filename), attrs));
    }
  }
  throw incomplete('file-many', { path: folder, limit: maxListedFiles });
}

/** Reads what was announced, and one byte more if there is one: that file grows, or the server lied about its size. */
async function readBytes(sftp: SFTPWrapper, { name, bytes }: RosterFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  const stream = sftp.createReadStream(name, { start: 0, end: bytes });
  // The file is closed after its last byte. It does not matter whether that succeeds.
  stream.on('error', () => {});
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

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
  const { signal, retryDelayMillis = settleMillis } = options;
  const path = String(credentials.path);
  let session: Session | undefined;

  async function findFile(sftp: SFTPWrapper): Promise<RosterFile> {
    const place = await withinTime(locate(sftp, path), path, signal);
    if (!('folder' in place)) return place;
    const newest = findNewest(await withinTime(listFiles(sftp, place), place.folder, signal));
    if (newest === undefined) throw incomplete('file-none', { path: posix.join(place.folder, place.pattern) });
    return newest;
  }

  /** Returns the bytes of a file that did not change before, during and after it was read. */
  async function readSettled(sftp: SFTPWrapper, file: RosterFile): Promise<Buffer> {
    if (file.bytes > maxFileBytes) throw incomplete('file-too-large', { name: file.name });
    await sleep(retryDelayMillis, undefined, { signal });
    const growing = () => incomplete('file-growing', { name: file.name });
    if (!isSameState(await findFile(sftp), file)) throw growing();
    const bytes = await withinTime(readBytes(sftp, file), file.name, signal);
    if (bytes.length !== file.bytes || !isSameState(await findFile(sftp), file)) throw growing();
    return bytes;
  }

  async function readFile(lastBytes?: number) {
    session ??= await signIn(credentials, options);
    const { sftp } = session;
    const file = await findFile(sftp);
    const problem = findFileProblem(file, lastBytes, Temporal.Now.instant());
    if (problem !== undefined) throw incomplete(problem.key, { name: file.name, ...problem.values });
    return { file, table: await readTable(await readSettled(sftp, file), file.name) };
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
