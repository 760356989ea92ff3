/** Reads ASN.1 in unaligned packed encoding rules (X.691) by a description of the types. Only what U_FLEX needs. */

export type Type =
  | { kind: 'boolean' | 'integer' | 'octets' | 'utf8' }
  | { kind: 'range'; from: number; to: number }
  | { kind: 'ia5'; size?: readonly [number, number] }
  | { kind: 'enum'; values: number; isExtensible: boolean }
  | { kind: 'list'; of: Type }
  /** Ends the reading: what follows is not described. */
  | { kind: 'end' }
  | { kind: 'choice'; of: readonly (Type | undefined)[]; isExtensible: boolean }
  | { kind: 'sequence'; fields: readonly Field[]; isExtensible: boolean };

export interface Field {
  name: string;
  type: Type;
  isOptional: boolean;
  /** What an absent field means. */
  fallback?: number | string;
}

// biome-ignore lint/suspicious/noExplicitAny: the description of the types decides what a value is.
export type Value = any;

export class PackedDataError extends Error {}

const maxItems = 200;
const maxLength = 4_096;
const maxDepth = 16;

/** Returns how many bits a number below `count` takes. */
const bitsFor = (count: number) => (count <= 1 ? 0 : Math.ceil(Math.log2(count)));

function createBits(bytes: Uint8Array) {
  let at = 0;
  function read(count: number): number {
    if (at + count > bytes.length * 8) throw new PackedDataError('the data end early');
    let value = 0;
    for (const end = at + count; at < end; at++) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  }
  return { read };
}

type Bits = ReturnType<typeof createBits>;

function readLength(bits: Bits): number {
  if (bits.read(1) === 0) return bits.read(7);
  if (bits.read(1) === 1) throw new PackedDataError('a part is too long');
  return bits.read(14);
}

function readBytes(bits: Bits): Uint8Array {
  const length = readLength(bits);
  if (length > maxLength) throw new PackedDataError('a part is too long');
  return Uint8Array.from({ length }, () => bits.read(8));
}

function readInteger(bits: Bits): number {
  const length = readLength(bits);
  if (length > 8) throw new PackedDataError('a number is too long');
  let value = 0n;
  for (let index = 0; index < length; index++) value = value * 256n + BigInt(bits.read(8));
  return Number(BigInt.asIntN(length * 8, value));
}

function readText(bits: Bits, size: readonly [number, number] | undefined): string {
  const length = size === undefined ? readLength(bits) : size[0] + bits.read(bitsFor(size[1] - size[0] + 1));
  if (length > maxLength) throw new PackedDataError('a text is too long');
  return String.fromCharCode(...Array.from({ length }, () => bits.read(7)));
}

/** Skips what later versions have added to a sequence. */
function skipExtensions(bits: Bits): void {
  if (bits.read(1) === 1) throw new PackedDataError('there are too many extensions');
  const count = bits.read(6) + 1;
  const present = Array.from({ length: count }, () => bits.read(1));
  for (const one of present) if (one === 1) readBytes(bits);
}

interface Reading {
  depth: number;
  isEnded: boolean;
}

function readInner(bits: Bits, type: Type, reading: Reading): Value {
  reading.depth++;
  const value = readType(bits, type, reading);
  reading.depth--;
  return value;
}

function readItems(bits: Bits, length: number, type: Type, reading: Reading): Value[] {
  const items: Value[] = [];
  while (items.length < length && !reading.isEnded) items.push(readInner(bits, type, reading));
  return items;
}

function readType(bits: Bits, type: Type, reading: Reading): Value {
  if (reading.depth > maxDepth) throw new PackedDataError('the data are nested too deeply');
  switch (type.kind) {
    case 'boolean':
      return bits.read(1) === 1;
    case 'integer':
      return readInteger(bits);
    case 'range':
      return type.from + bits.read(bitsFor(type.to - type.from + 1));
    case 'octets':
      return readBytes(bits);
    case 'utf8':
      return new TextDecoder().decode(readBytes(bits));
    case 'ia5':
      return readText(bits, type.size);
    case 'enum':
      if (type.isExtensible && bits.read(1) === 1) return bits.read(7);
      return bits.read(bitsFor(type.values));
    case 'list': {
      const length = readLength(bits);
      if (length > maxItems) throw new PackedDataError('a list is too long');
      return readItems(bits, length, type.of, reading);
    }
    case 'choice': {
      const index = type.isExtensible && bits.read(1) === 1 ? undefined : bits.read(bitsFor(type.of.length));
      const chosen = index === undefined ? undefined : type.of[index];
      if (chosen === undefined) throw new PackedDataError('a part is of a kind that is not read');
      return { index, value: readInner(bits, chosen, reading) };
    }
    case 'sequence': {
      const isExtended = type.isExtensible && bits.read(1) === 1;
      const isPresent = type.fields.map(({ isOptional }) => !isOptional || bits.read(1) === 1);
      const value: Record<string, Value> = {};
      for (const [index, field] of type.fields.entries()) {
        const isRead = isPresent[index] && !reading.isEnded;
        value[field.name] = isRead ? readInner(bits, field.type, reading) : field.fallback;
      }
      if (isExtended && !reading.isEnded) skipExtensions(bits);
      return value;
    }
    case 'end':
      reading.isEnded = true;
      return undefined;
  }
}

/** Returns the first values of the data, up to what is not described. */
export const readPacked = (bytes: Uint8Array, type: Type): Value =>
  readType(createBits(bytes), type, { depth: 0, isEnded: false });
