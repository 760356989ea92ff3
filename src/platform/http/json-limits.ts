const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What JSON from outside may consist of. Its size says little: 2 MB of brackets take longer than 50 MB of text. */
export interface JsonLimits {
  maxDepth: number;
  /** How many members one object may have. Copying an object with very many takes ten times as long as parsing it. */
  maxMembers: number;
  maxValues: number;
}

/** Limits for one body or response that is parsed as a whole. So many values are parsed in 10 ms, or in 50 ms if all their names differ. */
export const jsonLimits: JsonLimits = { maxDepth: 32, maxMembers: 1_000, maxValues: 20_000 };

/** Returns which limit a text exceeds, before it is parsed. Every value follows a comma or an opening bracket. */
export function findExceededLimit(bytes: Uint8Array, limits: JsonLimits = jsonLimits): keyof JsonLimits | undefined {
  const members: number[] = [];
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
    } else if (byte === comma) {
      values++;
      const count = (members.pop() ?? 0) + 1;
      if (count > limits.maxMembers) return 'maxMembers';
      members.push(count);
    } else if (byte === openArray || byte === openObject) {
      values++;
      if (members.push(byte === openObject ? 1 : Number.NEGATIVE_INFINITY) > limits.maxDepth) return 'maxDepth';
    } else if (byte === closeArray || byte === closeObject) members.pop();
    if (values > limits.maxValues) return 'maxValues';
  }
  return undefined;
}

export class JsonLimitError extends Error {}

/** Parses JSON in UTF-8 that another system has sent. Throws if it is not JSON, or exceeds a limit. */
export function parseForeignJson(bytes: Uint8Array, limits: JsonLimits = jsonLimits): unknown {
  const exceeded = findExceededLimit(bytes, limits);
  if (exceeded !== undefined) throw new JsonLimitError(`The JSON exceeds ${exceeded}: ${limits[exceeded]}.`);
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
}
