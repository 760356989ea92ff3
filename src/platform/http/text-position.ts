/** A position in a UTF-8 text, as an editor shows it. `byte` counts from 0, `line` and `column` from 1. */
export interface TextPosition {
  byte: number;
  line: number;
  column: number;
}

export const textStart: TextPosition = { byte: 0, line: 1, column: 1 };

const lineBreak = 0x0a;
const isLaterByte = (byte = 0) => (byte & 0xc0) === 0x80;

/** Counts characters by their first bytes. A body can be one long line, so four bytes are read at a time. */
function countCharacters(bytes: Uint8Array): number {
  const skipped = Math.min(-bytes.byteOffset & 3, bytes.length);
  const wordCount = (bytes.length - skipped) >> 2;
  let later = 0;
  for (let at = 0; at < skipped; at++) if (isLaterByte(bytes[at])) later++;
  if (wordCount > 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + skipped, wordCount);
    for (let index = 0; index < wordCount; index++) {
      const word = words[index] as number;
      if ((word & 0x80808080) === 0) continue;
      // The highest bit of a later byte is set, and the next one is not.
      const found = (word >>> 7) & ~(word >>> 6) & 0x01010101;
      later += (found + (found >>> 8) + (found >>> 16) + (found >>> 24)) & 7;
    }
  }
  for (let at = skipped + wordCount * 4; at < bytes.length; at++) if (isLaterByte(bytes[at])) later++;
  return bytes.length - later;
}

/** Returns the position after the given bytes. Counts characters in the last line only, because bodies can be large. */
export function advance({ byte, line, column }: TextPosition, bytes: Uint8Array): TextPosition {
  const lastBreak = bytes.lastIndexOf(lineBreak);
  let lines = line;
  for (let at = 0; at <= lastBreak; at++) if (bytes[at] === lineBreak) lines++;
  const columns = (lastBreak === -1 ? column : 1) + countCharacters(bytes.subarray(lastBreak + 1));
  return { byte: byte + bytes.length, line: lines, column: columns };
}

export const formatPosition = ({ byte, line, column }: TextPosition) => `line ${line}, column ${column} (byte ${byte})`;
