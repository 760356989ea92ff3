import { advance, formatPosition, type TextPosition, textStart } from './text-position.ts';

export interface SyntaxProblem {
  at: number;
  found: string | null;
  remedy: string;
}

export type Expected = 'value' | 'first-element' | 'first-name' | 'name' | 'colon' | 'after-value';

export interface JsonContext {
  expected: Expected;
  open: ('[' | '{')[];
}

const quote = 0x22;
const backslash = 0x5c;
const closers = { '[': ']', '{': '}' };
const structural = '[]{},:"';
const literal = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const isCutLiteral = (word: string) =>
  /^[-+.\deE]+$/.test(word) || ['true', 'false', 'null'].some((whole) => whole.startsWith(word));

const isWhiteSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const showByte = (byte = 0) => `byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;

const names: Record<string, string> = {
  '\ufeff': 'byte order mark',
  '\n': 'line break',
  '\r': 'line break',
  '\t': 'tab',
};

/** Returns the character at a position in printable form, or its first byte if the character is cut off. */
function showCharacter(bytes: Uint8Array, at: number): string {
  const character = String.fromCodePoint(
    Buffer.from(bytes.subarray(at, at + 4))
      .toString()
      .codePointAt(0) ?? 0,
  );
  if (character === '\ufffd') return showByte(bytes[at]);
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return names[character] ?? (/[\p{C}\p{Z}]/u.test(character) ? `U+${code}` : character);
}

function remedyForCharacter(found: string): string | undefined {
  if (found === "'") return 'use double quotes (") around names and texts';
  if ('“”„‟«»‘’'.includes(found)) return 'use straight double quotes (") around names and texts';
  if (found === '/' || found === '#') return 'remove the comment, JSON has none';
  if (found === 'byte order mark') return 'send UTF-8 without a byte order mark';
  return undefined;
}

const remedyForValue = 'put texts in double quotes; other values are numbers, true, false and null';

class Scanner {
  readonly #bytes: Uint8Array;
  readonly #open: ('[' | '{')[];
  #expected: Expected;
  #at = 0;
  #isAfterComma = false;

  constructor(bytes: Uint8Array, { expected, open }: JsonContext) {
    this.#bytes = bytes;
    this.#expected = expected;
    this.#open = [...open];
    this.#isAfterComma = expected === 'name' || (expected === 'value' && open.at(-1) === '[');
  }

  scan(): SyntaxProblem | undefined {
    for (;;) {
      while (isWhiteSpace(this.#bytes[this.#at])) this.#at++;
      if (this.#at >= this.#bytes.length) return this.#checkEnd();
      const problem = this.#step(String.fromCharCode(this.#bytes[this.#at] ?? 0));
      if (problem) return problem;
    }
  }

  #checkEnd(): SyntaxProblem | undefined {
    if (this.#expected === 'after-value' && this.#open.length === 0) return undefined;
    return this.#endsEarly(this.#open.at(-1) === '{' ? 'an object is not closed' : 'an array is not closed');
  }

  #endsEarly(what: string): SyntaxProblem {
    return { at: this.#bytes.length, found: null, remedy: `send all of it, ${what}` };
  }

  #unexpected(remedy: string, at = this.#at, found = showCharacter(this.#bytes, at)): SyntaxProblem {
    return { at, found, remedy };
  }

  #step(character: string): SyntaxProblem | undefined {
    const expected = this.#expected;
    if (expected === 'after-value') return this.#readAfterValue(character);
    if (expected === 'colon') return this.#readColon(character);
    if (expected === 'first-name' || expected === 'name') return this.#readName(character);
    return this.#readValue(character);
  }

  #take(expected: Expected): undefined {
    this.#isAfterComma = this.#bytes[this.#at] === 0x2c;
    this.#expected = expected;
    this.#at++;
  }

  #close(): undefined {
    this.#open.pop();
    return this.#take('after-value');
  }

  #readAfterValue(character: string): SyntaxProblem | undefined {
    const innermost = this.#open.at(-1);
    if (innermost === undefined) return this.#unexpected('remove everything after the end of the JSON');
    if (character === closers[innermost]) return this.#close();
    if (character === ',') return this.#take(innermost === '{' ? 'name' : 'value');
    if (character === ']' || character === '}') {
      return this.#unexpected(`close the ${innermost === '{' ? 'object' : 'array'} with ${closers[innermost]} first`);
    }
    if (character === ':') return this.#unexpected(innermost === '{' ? 'remove it' : 'put a comma in its place');
    return this.#unexpected(this.#remedy() ?? 'put a comma before it');
  }

  #readColon(character: string): SyntaxProblem | undefined {
    if (character === ':') return this.#take('value');
    return this.#unexpected(this.#remedy() ?? 'put a colon and a value after the name');
  }

  #readName(character: string): SyntaxProblem | undefined {
    if (character === '"') return this.#readString('colon');
    if (character === '}' && this.#expected === 'first-name') return this.#close();
    if (character === ',') return this.#unexpected('remove it');
    if (character === '}') return this.#unexpected('remove the comma before it');
    return this.#unexpected(this.#remedy() ?? 'put a name in double quotes here');
  }

  #readValue(character: string): SyntaxProblem | undefined {
    if (character === '"') return this.#readString('after-value');
    if (character === ']' && this.#expected === 'first-element') return this.#close();
    if (character === '[' || character === '{') {
      this.#open.push(character);
      return this.#take(character === '[' ? 'first-element' : 'first-name');
    }
    if (character === ']' && this.#isAfterComma) return this.#unexpected('remove the comma before it');
    if (character === ',') return this.#unexpected('remove it, or put a value before it');
    if (structural.includes(character)) return this.#unexpected('put a value before it');
    if ('-0123456789tfn'.includes(character)) return this.#readLiteral();
    return this.#unexpected(this.#remedy() ?? remedyForValue);
  }

  #remedy(): string | undefined {
    return remedyForCharacter(showCharacter(this.#bytes, this.#at));
  }

  #readLiteral(): SyntaxProblem | undefined {
    const begin = this.#at;
    let end = begin;
    const ends = (byte: number) => isWhiteSpace(byte) || structural.includes(String.fromCharCode(byte));
    while (end < this.#bytes.length && !ends(this.#bytes[end] as number)) end++;
    const word = Buffer.from(this.#bytes.subarray(begin, end)).toString('latin1');
    this.#at = end;
    this.#isAfterComma = false;
    this.#expected = 'after-value';
    if (literal.test(word)) return undefined;
    if (end === this.#bytes.length && isCutLiteral(word)) return this.#endsEarly('a value is cut off');
    const shown = /^[\w.+-]{1,20}$/.test(word) ? word : showCharacter(this.#bytes, begin);
    const isNumber = /^[-\d]/.test(word);
    return this.#unexpected(isNumber ? 'write numbers such as 0, -5 or 0.25' : remedyForValue, begin, shown);
  }

  #readString(expected: Expected): SyntaxProblem | undefined {
    this.#at++;
    while (this.#at < this.#bytes.length) {
      const byte = this.#bytes[this.#at] as number;
      if (byte === quote) return this.#take(expected);
      if (byte === backslash) {
        const problem = this.#readEscape();
        if (problem) return problem;
      } else if (byte < 0x20) {
        const code = byte.toString(16).padStart(4, '0');
        const isBreak = byte === 0x0a || byte === 0x0d;
        const remedy = isBreak ? 'close the text with a quote before it, or write \\n' : `write \\u${code} in a text`;
        return this.#unexpected(remedy);
      } else this.#at++;
    }
    return this.#endsEarly('a text is not closed with a quote');
  }

  #readEscape(): SyntaxProblem | undefined {
    const begin = this.#at;
    const text = Buffer.from(this.#bytes.subarray(begin, begin + 6)).toString('latin1');
    const whole = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.exec(text)?.[0];
    if (whole !== undefined) {
      this.#at += whole.length;
      return undefined;
    }
    const isCut = begin + text.length === this.#bytes.length && /^\\(?:u[\da-fA-F]*)?$/.test(text);
    if (isCut) return this.#endsEarly('a text is not closed with a quote');
    const isUnicode = text[1] === 'u';
    return this.#unexpected(isUnicode ? 'write four hexadecimal digits after \\u' : 'write a backslash as \\\\');
  }
}

export const emptyBody = 'The body is empty: send one complete JSON value in UTF-8.';

const whole: JsonContext = { expected: 'value', open: [] };

/** Returns where the first byte is that is not UTF-8. A character cut off at the end does not count. */
function findForeignByte(bytes: Uint8Array): number | undefined {
  const pieces = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true }).split('\ufffd');
  let at = 0;
  for (const piece of pieces.slice(0, -1)) {
    at += Buffer.byteLength(piece);
    const isWritten = bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    if (!isWritten) return at;
    at += 3;
  }
  return undefined;
}

/** Describes where a text is not JSON and how to fix it. `start` is the position of its first byte. */
export function describeSyntaxProblem(
  { at, found, remedy }: SyntaxProblem,
  bytes: Uint8Array,
  start: TextPosition = textStart,
): string {
  const where = formatPosition(advance(start, bytes.subarray(0, at)));
  if (found === null) return `The body ends at ${where}, before its JSON is complete: ${remedy}.`;
  return `Unexpected ${found} at ${where}: ${remedy}.`;
}

/** Returns where a text is not JSON, after the native parser refused it, which names neither line nor fix. */
export function findSyntaxProblem(bytes: Uint8Array, context: JsonContext = whole): SyntaxProblem | undefined {
  const problem = new Scanner(bytes, context).scan();
  const foreign = findForeignByte(bytes);
  if (foreign === undefined || (problem && problem.at < foreign)) return problem;
  return {
    at: foreign,
    found: showByte(bytes[foreign]),
    remedy: 'it is not UTF-8, so save and send the text as UTF-8',
  };
}
