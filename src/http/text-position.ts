/** A place in a text in UTF-8, as an editor shows it; `byte` is counted from 0, line and column from 1. */
export interface TextPosition {
  byte: number;
  line: number;
  /** In characters. */
  column: number;
}

export const textStart: TextPosition = { byte: 0, line: 1, column: 1 };

const lineBreak = 0x0a;
const isFirstOfCharacter = (byte = 0) => (byte & 0xc0) !== 0x80;

/** Returns the place behind some more bytes. Characters are counted in the last line alone: large bodies pass here. */
export function advance({ byte, line, column }: TextPosition, bytes: Uint8Array): TextPosition {
  const lastBreak = bytes.lastIndexOf(lineBreak);
  let lines = line;
  for (let at = 0; at <= lastBreak; at++) if (bytes[at] === lineBreak) lines++;
  let columns = lastBreak === -1 ? column : 1;
  for (let at = lastBreak + 1; at < bytes.length; at++) if (isFirstOfCharacter(bytes[at])) columns++;
  return { byte: byte + bytes.length, line: lines, column: columns };
}

export const formatPosition = ({ byte, line, column }: TextPosition) => `line ${line}, column ${column} (byte ${byte})`;
