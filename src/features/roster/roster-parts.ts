import { createHash, hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, type InputType, zstdCompress, zstdDecompress } from 'node:zlib';
import { emailKey } from '../../domain/search.ts';
import { formatEntry, parseEntry, type RosterEntry } from './rules/entry.ts';

/** The keys of entries hardly repeat: the usual level takes twice the time for a result that is no smaller. */
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const compressWith = promisify<InputType, typeof fastest, Buffer>(zstdCompress);
export const compress = (content: InputType) => compressWith(content, fastest);
export const decompress = promisify(zstdDecompress);

const partBytes = 2 ** 22;
const batchBytes = 2 ** 18;
const newline = 0x0a;

/** A part of a roster as it is stored. */
export interface RosterPart {
  /** Returns the entries as lines, compressed. */
  readContent(): Promise<Buffer>;
  /** Their keys as `KeyColumns` writes them, compressed. Null: stored by a release that did not write them. */
  keys: Buffer | null;
}

/** Separates the columns of the keys. No value contains a control character. */
const keySeparator = '\x1e';

export const hashLength = 22;

/** Identifies an entry as it is stored. Links keep that of the entry that was applied last. */
const hashLine = (line: string) => hash('sha256', line, 'base64url').slice(0, hashLength);

/** The keys of entries, in two columns with a value per line: HR ids, and hashes followed by folded email addresses. */
class KeyColumns {
  #columns: [hrIds: string[], marks: string[]] = [[], []];

  add({ hrId }: Pick<RosterEntry, 'hrId'>, key: string, line: string): void {
    this.#columns[0].push(hrId);
    this.#columns[1].push(hashLine(line) + key);
  }

  take(): string {
    const text = this.#columns.map((values) => values.join('\n')).join(keySeparator);
    this.#columns = [[], []];
    return text;
  }
}

/** Stores the entries as lines and hashes and compresses them as they arrive. At most one part is in memory as text. */
export class RosterParts {
  readonly parts: Buffer[] = [];
  readonly keys: Buffer[] = [];
  readonly #hash = createHash('sha256');
  readonly #columns = new KeyColumns();
  #lines: string[] = [];
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** Takes the folded email address too, which the caller knows. */
  add(entry: RosterEntry, key: string): void {
    const line = formatEntry(entry);
    this.#lines.push(line);
    this.#columns.add(entry, key, line);
  }

  async flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    const chunk = Buffer.from(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    this.#hash.update(chunk);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= partBytes) await this.#seal();
  }

  async finish(): Promise<Buffer> {
    await this.flush();
    if (this.#bytes > 0) await this.#seal();
    return this.#hash.digest();
  }

  async #seal(): Promise<void> {
    const part = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    this.parts.push(await compress(part));
    this.keys.push(await compress(this.#columns.take()));
  }
}

/** Yields the lines of a part in batches, and yields to other requests in between. */
async function* readLines(content: Buffer): AsyncGenerator<string[]> {
  const lines = await decompress(content);
  for (let from = 0; from < lines.length; ) {
    const to = lines.indexOf(newline, Math.min(from + batchBytes, lines.length - 1));
    yield lines.toString('utf8', from, to).split('\n');
    await nextTurn();
    from = to + 1;
  }
}

/** Yields the entries of a roster from its parts, batch by batch. */
export async function* readEntries(parts: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<RosterEntry[]> {
  for await (const part of parts) {
    for await (const lines of readLines(part)) yield lines.map(parseEntry);
  }
}

async function computeKeys(content: Buffer): Promise<string> {
  const columns = new KeyColumns();
  for await (const lines of readLines(content)) {
    for (const line of lines) {
      const entry = parseEntry(line);
      columns.add(entry, emailKey(entry.email), line);
    }
  }
  return columns.take();
}

/** Returns the keys of the entries of a part, a line per entry. `marks`: each is the hash and the folded email address. */
export async function readKeys({ keys, readContent }: RosterPart): Promise<{ hrIds: string; marks: string }> {
  const text = keys === null ? await computeKeys(await readContent()) : (await decompress(keys)).toString();
  const [hrIds = '', marks = ''] = text.split(keySeparator);
  return { hrIds, marks };
}

export interface StoredEntry {
  entry: RosterEntry;
  entryHash: string;
}

const parseLine = (line: string): StoredEntry => ({ entry: parseEntry(line), entryHash: hashLine(line) });

/**
 * Yields some entries of a roster in batches, and yields to other requests in between. `chosen` has their places in each
 * part, in ascending order. A part without one is not even loaded.
 */
export async function* readChosen(
  roster: readonly RosterPart[],
  chosen: readonly (readonly number[])[],
): AsyncGenerator<StoredEntry[]> {
  let batch: string[] = [];
  let length = 0;
  for (const [index, part] of roster.entries()) {
    const places = chosen[index] ?? [];
    let [first, next] = [0, 0];
    for await (const lines of places.length > 0 ? readLines(await part.readContent()) : []) {
      for (let place = places[next]; place !== undefined && place < first + lines.length; place = places[++next]) {
        const line = lines[place - first] as string;
        batch.push(line);
        length += line.length;
        if (length < batchBytes) continue;
        yield batch.map(parseLine);
        [batch, length] = [[], 0];
      }
      first += lines.length;
      if (next === places.length) break;
    }
  }
  if (batch.length > 0) yield batch.map(parseLine);
}
