import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createMessage } from '../../domain/messages/message.ts';
import { emailKey } from '../../domain/search.ts';
import { ApiError, describeError } from '../../platform/http/errors.ts';
import { type JsonSink, JsonStreamParser } from '../../platform/http/json-stream-parser.ts';
import { RosterParts } from './roster-parts.ts';
import { checkEntry, checkSyncId, type RosterEntry } from './rules/entry.ts';
import { checkUnknownMember, type RosterProblem } from './rules/fields.ts';
import type { LeftOut } from './rules/match.ts';
import { type RosterWarning, RosterWarnings } from './rules/warnings.ts';

export interface Roster {
  syncId: string;
  entryCount: number;
  /** SHA-256 of the entries as stored, in their order. White space, key order and the syncId do not matter. */
  contentHash: Buffer;
  /** The entries as lines, about 4 MiB per part, compressed. */
  parts: Buffer[];
  /** The keys of the entries of each part, compressed. */
  keys: Buffer[];
  warnings: RosterWarning[];
  /** Entries that were left out on request. */
  leftOut?: LeftOut;
}

export interface RosterOptions {
  maxBytes: number;
  maxEntries: number;
  /** Today in the company's time zone. Dates are compared with it. */
  today: Temporal.PlainDate;
  /** Whether there may be no entries: a complete roster of nobody. */
  allowsNobody?: boolean;
  /** How many problems are listed. All of them are counted. */
  maxProblems?: number;
  /** Leaves out entries with problems, if there are this many. Their employees stay as they are. */
  leaveOut?: number | undefined;
}

const defaultMaxProblems = 100;
/** Yields to other requests after this time, which is checked every 8 KiB. */
const turnMilliseconds = 2;
const pieceBytes = 2 ** 13;

const describeProblem = ({ pointer, hrId, detail }: RosterProblem) =>
  `${pointer || 'The body'}${hrId === undefined ? '' : ` (hrId ${hrId})`} ${detail}`;

function findEarlier(seen: Map<string, number>, key: string | undefined, index: number): number | undefined {
  if (key === undefined) return undefined;
  const first = seen.getOrInsert(key, index);
  return first === index ? undefined : first;
}

type ReaderOptions = Omit<RosterOptions, 'maxBytes'>;

class RosterReader implements JsonSink {
  readonly #options: ReaderOptions;
  readonly #today: string;
  readonly #maxProblems: number;
  readonly #bodyProblems: RosterProblem[] = [];
  readonly #entryProblems: RosterProblem[] = [];
  #problemCount = 0;
  readonly #warnings = new RosterWarnings();
  readonly #hrIds = new Map<string, number>();
  readonly #emails = new Map<string, number>();
  #employees: 'missing' | 'array' | 'refused' = 'missing';
  #entryCount = 0;
  /** Undefined until it is read, null if it is refused. */
  #syncId: string | null | undefined;
  /** Dropped at the first problem: the rest of such a roster is read only to find more problems. */
  #parts: RosterParts | undefined = new RosterParts();
  readonly #leftOut: LeftOut = { hrIds: [], emailKeys: [], isUnknown: false };
  #leftOutCount = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#today = options.today.toString();
    this.#maxProblems = options.maxProblems ?? defaultMaxProblems;
  }

  /** Lists the problems of the body first, then those of its entries. */
  #toError(): ApiError {
    const errors = [...this.#bodyProblems, ...this.#entryProblems].slice(0, this.#maxProblems);
    const first = errors.slice(0, 3).map(describeProblem);
    const errorCount = this.#problemCount;
    const total = `${errorCount} ${errorCount === 1 ? 'error' : 'errors'} in total`;
    const detail = `The roster was rejected: ${first.join('; ')}. ${total}, see \`errors\`.`;
    return new ApiError('invalid-roster', detail, { errors, errorCount });
  }

  onOther(): void {
    this.#refuse(describeError({ pointer: '' }, 'type', createMessage('entry-body')));
    throw this.#toError();
  }

  onValue(name: string, value: unknown): void {
    if (name === 'syncId') this.#readSyncId(value);
    else if (name !== 'employees') this.#readUnknown(name);
    else {
      this.#employees = 'refused';
      this.#refuse(describeError({ pointer: '/employees' }, 'type', createMessage('entry-array')));
    }
  }

  onArray(name: string): void {
    if (name === 'syncId') this.#readSyncId([]);
    else if (name === 'employees') this.#employees = 'array';
    else this.#readUnknown(name);
  }

  onElement(name: string, value: unknown, index: number): void {
    const { maxEntries: limit } = this.#options;
    if (index >= limit) throw new ApiError('body-too-large', createMessage('roster-too-many-entries', { name, limit }));
    if (name === 'employees') this.#readEntry(value, index);
  }

  /** Must be called regularly, so that lines do not accumulate. */
  async flush(): Promise<void> {
    await this.#parts?.flush();
  }

  async finish(): Promise<Roster> {
    if (this.#syncId === undefined) this.#readSyncId(undefined);
    if (this.#employees === 'missing') {
      this.#refuse(describeError({ pointer: '/employees' }, 'required', createMessage('value-required')));
    } else if (this.#employees === 'array' && this.#entryCount === 0 && !this.#options.allowsNobody) {
      this.#refuse(describeError({ pointer: '/employees' }, 'empty', createMessage('entry-nobody')));
    }
    if (!this.#parts || !this.#syncId) throw this.#toError();
    const { leaveOut } = this.#options;
    if (leaveOut !== undefined && this.#leftOutCount !== leaveOut) {
      // Other entries than the user has seen would be left out.
      const detail = `${this.#leftOutCount} rows have errors now, not ${leaveOut}.`;
      throw new ApiError('confirmation-mismatch', detail);
    }
    const leftOut = this.#leftOutCount > 0 ? this.#leftOut : undefined;
    const entriesHash = await this.#parts.finish();
    return {
      syncId: this.#syncId,
      entryCount: this.#entryCount,
      contentHash: leftOut
        ? hash('sha256', `${entriesHash.toString('hex')}${JSON.stringify(leftOut)}`, 'buffer')
        : entriesHash,
      parts: this.#parts.parts,
      keys: this.#parts.keys,
      warnings: this.#warnings.toList(),
      ...(leftOut ? { leftOut } : {}),
    };
  }

  /** Handles an entry with problems: refuses the roster, or leaves the entry out if the user has asked for it. */
  #refuseEntry(problems: RosterProblem[], index: number, { hrId, email }: Partial<RosterEntry>): void {
    if (this.#options.leaveOut === undefined) {
      this.#problemCount += problems.length;
      if (this.#entryProblems.length < this.#maxProblems) this.#entryProblems.push(...problems);
      this.#parts = undefined;
      return;
    }
    this.#entryCount--;
    this.#leftOutCount++;
    this.#warnings.add({ code: 'left-out', field: '', pointer: `/employees/${index}` }, hrId ?? null);
    if (hrId !== undefined) this.#leftOut.hrIds.push(hrId);
    if (email !== undefined) this.#leftOut.emailKeys.push(emailKey(email));
    if (hrId === undefined && email === undefined) this.#leftOut.isUnknown = true;
  }

  refuseElement(problem: RosterProblem, index: number): void {
    this.#entryCount++;
    this.#refuseEntry([problem], index, {});
  }

  #refuse(...problems: RosterProblem[]): void {
    this.#problemCount += problems.length;
    this.#bodyProblems.push(...problems);
    this.#parts = undefined;
  }

  #readSyncId(value: unknown): void {
    const checked = checkSyncId(value);
    this.#syncId = typeof checked === 'string' ? checked : null;
    if (typeof checked !== 'string') this.#refuse(...checked);
  }

  #readUnknown(name: string): void {
    const finding = checkUnknownMember(name);
    if ('detail' in finding) this.#refuse(finding);
    else this.#warnings.add(finding, null);
  }

  #readEntry(value: unknown, index: number): void {
    this.#entryCount++;
    const checked = checkEntry(value, index, this.#today);
    for (const warning of checked.warnings) this.#warnings.add(warning, checked.entry.hrId ?? null);
    const problems = checked.isValid ? [] : checked.problems;
    const { email } = checked.entry;
    const key = email === undefined ? undefined : emailKey(email);
    this.#findRepetitions(checked.entry, key, index, problems);
    if (problems.length > 0) {
      this.#refuseEntry(problems, index, checked.entry);
    } else if (checked.isValid) this.#parts?.add(checked.entry, key ?? '');
  }

  #findRepetitions(
    { hrId }: Partial<RosterEntry>,
    key: string | undefined,
    index: number,
    problems: RosterProblem[],
  ): void {
    const whose = hrId === undefined ? {} : { hrId };
    const check = (
      name: 'hrId' | 'email',
      code: 'duplicate-hr-id' | 'duplicate-email',
      earlier: number | undefined,
    ) => {
      if (earlier === undefined) return;
      const message = createMessage(`entry-${code}`, { place: `/employees/${earlier}/${name}` });
      problems.push(describeError({ pointer: `/employees/${index}/${name}`, ...whose }, code, message));
    };
    check('hrId', 'duplicate-hr-id', findEarlier(this.#hrIds, hrId, index));
    check('email', 'duplicate-email', findEarlier(this.#emails, key, index));
  }
}

/** Distinguishes a client that disconnects from an error inside the service. */
async function* receive(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('malformed-body', 'The connection ended before the body was complete. Send the request again.');
  }
}

/**
 * Yields the body in pieces small enough to be read in a few milliseconds each. Does not destroy the request when its
 * reader stops early, so that a response can still be sent: a `for await` over the stream itself would close the
 * connection.
 */
export async function* receivePieces(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<Uint8Array> = body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : body;
  let bytes = 0;
  for await (const chunk of receive(chunks)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ApiError('body-too-large', createMessage('roster-too-large', { limit: maxBytes }));
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes);
  }
}

/** Reads one item after another, and yields to other requests in between. */
async function readInTurns<T>(reader: RosterReader, items: AsyncIterable<T>, read: (item: T) => void): Promise<void> {
  let began = performance.now();
  for await (const item of items) {
    read(item);
    if (performance.now() - began < turnMilliseconds) continue;
    await reader.flush();
    await nextTurn();
    began = performance.now();
  }
}

/** The syncId of a roster that arrives without one. The code that accepts the roster replaces it. */
const noSyncId = 'unnamed';

/**
 * Reads and checks a pushed roster while it arrives. Yields to other requests in between, and retains only one
 * compressed copy. Throws the problem to respond with if the roster is invalid. The form `list` is the bare array of
 * entries.
 */
export async function readRoster(
  body: AsyncIterable<Uint8Array>,
  options: RosterOptions,
  form: 'object' | 'list' = 'object',
): Promise<Roster> {
  const reader = new RosterReader(options);
  const parser = form === 'list' ? new JsonStreamParser(reader, 'employees') : new JsonStreamParser(reader);
  if (form === 'list') reader.onValue('syncId', noSyncId);
  await readInTurns(reader, receivePieces(body, options.maxBytes), (piece) => parser.push(piece));
  parser.end();
  return reader.finish();
}

export type ForeignEntry = { entry: unknown } | { problem: RosterProblem };

/** Applies the same checks to entries from other formats. */
export async function checkRoster(entries: AsyncIterable<ForeignEntry>, options: ReaderOptions): Promise<Roster> {
  const reader = new RosterReader(options);
  reader.onValue('syncId', noSyncId);
  reader.onArray('employees');
  let index = 0;
  await readInTurns(reader, entries, (one) => {
    if ('problem' in one) reader.refuseElement(one.problem, index);
    else reader.onElement('employees', one.entry, index);
    index++;
  });
  return reader.finish();
}
