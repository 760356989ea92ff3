import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { formatEntry, parseEntry, type RosterEntry } from './rules/entry.ts';

export const compress = promisify(zstdCompress);
export const decompress = promisify(zstdDecompress);

const partBytes = 2 ** 22;
const batchBytes = 2 ** 18;
const newline = 0x0a;

/** Stores the entries as lines and hashes and compresses them as they arrive. At most one part is in memory as text. */
export class RosterParts {
  readonly parts: Buffer[] = [];
  readonly #hash = createHash('sha256');
  #lines: string[] = [];
  #chunks: Buffer[] = [];
  #bytes = 0;

  add(entry: RosterEntry): void {
    this.#lines.push(formatEntry(entry));
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
  }
}

/** Yields the entries of a roster from its parts, batch by batch, and yields to other requests in between. */
export async function* readEntries(parts: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<RosterEntry[]> {
  for await (const part of parts) {
    const lines = await decompress(part);
    for (let from = 0; from < lines.length; ) {
      const to = lines.indexOf(newline, Math.min(from + batchBytes, lines.length - 1));
      yield lines.toString('utf8', from, to).split('\n').map(parseEntry);
      await nextTurn();
      from = to + 1;
    }
  }
}

export type ReadRosterEntries = () => AsyncIterable<RosterEntry[]>;
