import { RosterFileError } from './table-row.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252';

const longestCharacter = 4;

/** Returns the length of the UTF-8 character that begins with this byte, or 0 if none does. */
function lengthOf(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * Returns the encoding if these bytes decide it. The first byte outside of ASCII does: German spreadsheets write
 * Windows-1252, where an umlaut is one byte, and what follows it is never the rest of a UTF-8 character.
 */
function findEncoding(bytes: Uint8Array, isStart: boolean, isComplete: boolean): Encoding | undefined {
  if (isStart && bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  const first = bytes.findIndex((byte) => byte >= 0x80);
  if (first < 0) return isComplete ? 'utf-8' : undefined;
  if (!isComplete && bytes.length < first + longestCharacter) return undefined;
  const length = lengthOf(bytes[first] ?? 0);
  const rest = Array.from({ length: Math.max(0, length - 1) }, (_, index) => bytes[first + 1 + index]);
  return length > 0 && rest.every(isContinuation) ? 'utf-8' : 'windows-1252';
}

const concat = (a: Uint8Array, b: Uint8Array) => {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
};

/**
 * Decodes a table of text as it arrives: UTF-8 with and without a byte order mark, Windows-1252, and UTF-16 with a byte
 * order mark. `onEncoding` learns the encoding before the first text that depends on it. Throws if the bytes are no text.
 */
export async function* decodeText(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onEncoding: (encoding: Encoding) => void = () => {},
): AsyncGenerator<string> {
  let pending: Uint8Array = new Uint8Array();
  let decoder: TextDecoder | undefined;
  let isStart = true;
  const decode = (bytes: Uint8Array, stream: boolean): string => {
    try {
      const text = decoder?.decode(bytes, { stream }) ?? '';
      if (text.includes('\0')) throw new RosterFileError('not-text');
      return text;
    } catch (error) {
      throw error instanceof RosterFileError ? error : new RosterFileError('mixed-encoding');
    }
  };
  const decide = (isComplete: boolean): string => {
    const encoding = findEncoding(pending, isStart, isComplete);
    if (encoding !== undefined) {
      onEncoding(encoding);
      decoder = new TextDecoder(encoding, { fatal: true });
      const bytes = pending;
      pending = new Uint8Array();
      return decode(bytes, !isComplete);
    }
    // ASCII is the same in every encoding that is still possible.
    const first = pending.findIndex((byte) => byte >= 0x80);
    const known = first < 0 ? pending.length : first;
    const text = new TextDecoder('latin1').decode(pending.subarray(0, known));
    if (text.includes('\0')) throw new RosterFileError('not-text');
    pending = pending.subarray(known);
    if (known > 0) isStart = false;
    return text;
  };
  for await (const piece of pieces) {
    if (decoder !== undefined) yield decode(piece, true);
    else {
      pending = concat(pending, piece);
      yield decide(false);
    }
  }
  yield decoder === undefined ? decide(true) : decode(new Uint8Array(), false);
}
