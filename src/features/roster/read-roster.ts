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
  warnings: RosterWarning[];
  /** Entries that were left out on request. */
  leftOut?: LeftOut;
}

export interface RosterLimits {
  maxBytes: number;
  maxEntries: number;
}

export interface RosterOptions extends RosterLimits {
  /** Today in the company's time zone. Dates are compared with it. */
  today: Temporal.PlainDate;
  /** How many problems are listed. All of them are counted. */
  maxProblems?: number;
  /** Leaves out entries with problems, if there are this many. Their employees stay as they are. */
  leaveOut?: number | undefined;
}

const defaultMaxProblems = 100;
/** Yields to other requests after this time, which is checked every 8 KiB. */
const turnMilliseconds = 2;
const pieceBytes = 2 ** 13;

/** Counts every problem and stores those that are listed: first those of the body, then those of its entries. */
class RosterProblems {
  readonly #ofBody: RosterProblem[] = [];
  readonly #ofEntries: RosterProblem[] = [];
  readonly #maxListed: number;
  #count = 0;

  constructor(maxListed: number) {
    this.#maxListed = maxListed;
  }

  addToBody(problems: RosterProblem[]): void {
    this.#count += problems.length;
    this.#ofBody.push(...problems);
  }

  addToEntries(problems: RosterProblem[]): void {
    this.#count += problems.length;
    if (this.#ofEntries.length < this.#maxListed) this.#ofEntries.push(...problems);
  }

  toError(): ApiError {
    const errors = [...this.#ofBody, ...this.#ofEntries].slice(0, this.#maxListed);
    const first = errors.slice(0, 3).map(describeProblem);
    const total = `${this.#count} ${this.#count === 1 ? 'error' : 'errors'} in total`;
    const detail = `The roster was rejected: ${first.join('; ')}. ${total}, see \`errors\`.`;
    return new ApiError('invalid-roster', detail, { errors, errorCount: this.#count });
  }
}

const describeProblem = ({ pointer, hrId, detail }: RosterProblem) =>
  `${pointer || 'The body'}${hrId === undefined ? '' : ` (hrId ${hrId})`} ${detail}`;

function findEarlier(seen: Map<string, number>, key: string | undefined, index: number): number | undefined {
  if (key === undefined) return undefined;
  const first = seen.getOrInsert(key, index);
  return first === index ? undefined : first;
}

type ReaderOptions = Pick<RosterOptions, 'maxEntries' | 'today' | 'maxProblems' | 'leaveOut'>;

class RosterReader implements JsonSink {
  readonly #maxEntries: number;
  readonly #today: string;
  readonly #problems: RosterProblems;
  readonly #warnings = new RosterWarnings();
  readonly #hrIds = new Map<string, number>();
  readonly #emails = new Map<string, number>();
  #employees: 'missing' | 'array' | 'refused' = 'missing';
  #entryCount = 0;
  /** Undefined until it is read, null if it is refused. */
  #syncId: string | null | undefined;
  /** Dropped at the first problem: the rest of such a roster is read only to find more problems. */
  #parts: RosterParts | undefined = new RosterParts();

  readonly #leaveOut: number | undefined;
  readonly #leftOut: LeftOut = { hrIds: [], emailKeys: [], isUnknown: false };
  #leftOutCount = 0;

  constructor({ maxEntries, today, maxProblems = defaultMaxProblems, leaveOut }: ReaderOptions) {
    this.#leaveOut = leaveOut;
    this.#problems = new RosterProblems(maxProblems);
    this.#maxEntries = maxEntries;
    this.#today = today.toString();
  }

  onOther(): void {
    this.#refuse(describeError({ pointer: '' }, 'type', createMessage('entry-body')));
    throw this.#problems.toError();
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
    if (index >= this.#maxEntries) {
      throw new ApiError('body-too-large', createMessage('roster-too-many-entries', { name, limit: this.#maxEntries }));
    }
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
    } else if (this.#employees === 'array' && this.#entryCount === 0) {
      this.#refuse(describeError({ pointer: '/employees' }, 'empty', createMessage('entry-nobody')));
    }
    if (!this.#parts || !this.#syncId) throw this.#problems.toError();
    const leftOut = this.#assertLeftOut();
    const entriesHash = await this.#parts.finish();
    return {
      syncId: this.#syncId,
      entryCount: this.#entryCount,
      contentHash: leftOut
        ? hash('sha256', `${entriesHash.toString('hex')}${JSON.stringify(leftOut)}`, 'buffer')
        : entriesHash,
      parts: this.#parts.parts,
      warnings: this.#warnings.toList(),
      ...(leftOut ? { leftOut } : {}),
    };
  }

  /** Throws if other entries than the user has seen would be left out. */
  #assertLeftOut(): LeftOut | undefined {
    if (this.#leaveOut !== undefined && this.#leftOutCount !== this.#leaveOut) {
      const detail = `${this.#leftOutCount} rows have errors now, not ${this.#leaveOut}.`;
      throw new ApiError('confirmation-mismatch', detail);
    }
    return this.#leftOutCount > 0 ? this.#leftOut : undefined;
  }

  /** Handles an entry with problems: refuses the roster, or leaves the entry out if the user has asked for it. */
  #refuseEntry(problems: RosterProblem[], index: number, { hrId, email }: Partial<RosterEntry>): void {
    if (this.#leaveOut === undefined) {
      this.#problems.addToEntries(problems);
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
    this.#problems.addToBody(problems);
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
    this.#findRepetitions(checked.entry, index, problems);
    if (problems.length > 0) {
      this.#refuseEntry(problems, index, checked.entry);
    } else if (checked.isValid) this.#parts?.add(checked.entry);
  }

  #findRepetitions({ hrId, email }: Partial<RosterEntry>, index: number, problems: RosterProblem[]): void {
    const whose = hrId === undefined ? {} : { hrId };
    const withHrId = findEarlier(this.#hrIds, hrId, index);
    if (withHrId !== undefined) {
      const message = createMessage('entry-duplicate-hr-id', { place: `/employees/${withHrId}/hrId` });
      problems.push(describeError({ pointer: `/employees/${index}/hrId`, ...whose }, 'duplicate-hr-id', message));
    }
    const withEmail = findEarlier(this.#emails, email && emailKey(email), index);
    if (withEmail !== undefined) {
      const message = createMessage('entry-duplicate-email', { place: `/employees/${withEmail}/email` });
      problems.push(describeError({ pointer: `/employees/${index}/email`, ...whose }, 'duplicate-email', message));
    }
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

function createTurns(): { isOver(): boolean; next(): Promise<void> } {
  let began = performance.now();
  return {
    isOver: () => performance.now() - began >= turnMilliseconds,
    async next() {
      await nextTurn();
      began = performance.now();
    },
  };
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
  const turns = createTurns();
  for await (const piece of receivePieces(body, options.maxBytes)) {
    parser.push(piece);
    if (!turns.isOver()) continue;
    await reader.flush();
    await turns.next();
  }
  parser.end();
  return reader.finish();
}

export type ForeignEntry = { entry: unknown } | { problem: RosterProblem };

/** Applies the same checks to entries from other formats. */
export async function checkRoster(entries: AsyncIterable<ForeignEntry>, options: ReaderOptions): Promise<Roster> {
  const reader = new RosterReader(options);
  reader.onValue('syncId', noSyncId);
  reader.onArray('employees');
  const turns = createTurns();
  let index = 0;
  for await (const one of entries) {
    if ('problem' in one) reader.refuseElement(one.problem, index);
    else reader.onElement('employees', one.entry, index);
    index++;
    if (!turns.isOver()) continue;
    await reader.flush();
    await turns.next();
  }
  return reader.finish();
}
