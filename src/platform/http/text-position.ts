/** A position in a UTF-8 text, as an editor shows it. `byte` counts from 0, `line` and `column` from 1. */
export interface TextPosition {
  byte: number;
  line: number;
  column: number;
}

export const textStart: TextPosition = { byte: 0, line: 1, column: 1 };

const lineBreak = 0x0a;
const isFirstOfCharacter = (byte = 0) => (byte & 0xc0) !== 0x80;

/** Returns the position after the given bytes. Counts characters in the last line only, because bodies can be large. */
export function advance({ byte, line, column }: TextPosition, bytes: Uint8Array): TextPosition {
  const lastBreak = bytes.lastIndexOf(lineBreak);
  let lines = line;
  for (let at = 0; at <= lastBreak; at++) if (bytes[at] === lineBreak) lines++;
  let columns = lastBreak === -1 ? column : 1;
  for (let at = lastBreak + 1; at < bytes.length; at++) if (isFirstOfCharacter(bytes[at])) columns++;
  return { byte: byte + bytes.length, line: lines, column: columns };
}

export const formatPosition = ({ byte, line, column }: TextPosition) => `line ${line}, column ${column} (byte ${byte})`;
