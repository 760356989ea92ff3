import { TableError } from './table-row.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252';

const longestCharacter = 4;

/** Returns the length of the UTF-8 character that begins with this byte, or 0 if none does. */
function lengthOf(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}

const findFirstNonAscii = (bytes: Uint8Array) => bytes.findIndex((byte) => byte >= 0x80);

/**
 * Returns the encoding if these bytes decide it. The first byte outside of ASCII does: German spreadsheets write
 * Windows-1252, where an umlaut is one byte, and what follows it is never the rest of a UTF-8 character.
 */
function findEncoding(bytes: Uint8Array, isStart: boolean, isComplete: boolean): Encoding | undefined {
  if (isStart && bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  const first = findFirstNonAscii(bytes);
  if (first < 0) return isComplete ? 'utf-8' : undefined;
  if (!isComplete && bytes.length < first + longestCharacter) return undefined;
  const length = lengthOf(bytes[first] ?? 0);
  const rest = bytes.subarray(first + 1, first + length);
  const isCharacter = length > 0 && rest.length === length - 1 && rest.every((byte) => (byte & 0xc0) === 0x80);
  return isCharacter ? 'utf-8' : 'windows-1252';
}

/**
 * Decodes a table of text as it arrives: UTF-8 with and without a byte order mark, Windows-1252, and UTF-16 with a byte
 * order mark. `onEncoding` learns the encoding before the first text that depends on it. Throws if the bytes are no text.
 */
export async function* decodeText(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onEncoding: (encoding: Encoding) => void = () => {},
): AsyncGenerator<string> {
  let pending: Uint8Array = new Uint8Array();
  // ASCII is the same in every encoding that is possible until the first other byte.
  let decoder = new TextDecoder('latin1');
  let isDecided = false;
  let isStart = true;
  const decode = (bytes: Uint8Array, stream: boolean): string => {
    let text: string;
    try {
      text = decoder.decode(bytes, { stream });
    } catch {
      throw new TableError('mixed-encoding');
    }
    if (text.includes('\0')) throw new TableError('not-text');
    return text;
  };
  const decide = (isComplete: boolean): string => {
    const encoding = findEncoding(pending, isStart, isComplete);
    const first = findFirstNonAscii(pending);
    let known = first < 0 ? pending.length : first;
    if (encoding !== undefined) {
      onEncoding(encoding);
      decoder = new TextDecoder(encoding, { fatal: true });
      isDecided = true;
      known = pending.length;
    }
    const bytes = pending.subarray(0, known);
    pending = pending.subarray(known);
    if (known > 0) isStart = false;
    return decode(bytes, isDecided && !isComplete);
  };
  for await (const piece of pieces) {
    if (isDecided) yield decode(piece, true);
    else {
      pending = Buffer.concat([pending, piece]);
      yield decide(false);
    }
  }
  yield isDecided ? decode(new Uint8Array(), false) : decide(true);
}
