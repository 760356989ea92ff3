/** A place in a text in UTF-8, as an editor shows it; `byte` is counted from 0, line and column from 1. */
export interface TextPosition {
  byte: number;
  line: number;
  /** In characters. */
  column: number;
}

export const textStart: TextPosition = { byte: 0, line: 1, column: 1 };

/** Returns the place behind some more bytes. */
export function advance({ byte, line, column }: TextPosition, bytes: Uint8Array): TextPosition {
  for (const next of bytes) {
    if (next === 0x0a) {
      line++;
      column = 1;
    } else if ((next & 0xc0) !== 0x80) column++;
  }
  return { byte: byte + bytes.length, line, column };
}

export const formatPosition = ({ byte, line, column }: TextPosition) => `line ${line}, column ${column} (byte ${byte})`;
