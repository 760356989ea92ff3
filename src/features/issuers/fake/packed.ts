import type { Type, Value } from '../rules/uper.ts';

/** Writes what `readPacked` reads, for barcodes of the fake issuer. Fields that are undefined are left out. */
export function writePacked(type: Type, value: Value): Uint8Array {
  const bits: number[] = [];
  const write = (number: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push(Math.floor(number / 2 ** bit) % 2);
  };
  const bitsFor = (count: number) => (count <= 1 ? 0 : Math.ceil(Math.log2(count)));
  const writeLength = (length: number) => (length < 128 ? write(length, 8) : write(0x8000 + length, 16));
  const writeBytes = (bytes: Uint8Array) => {
    writeLength(bytes.length);
    for (const byte of bytes) write(byte, 8);
  };

  function writeInteger(number: number): void {
    const bytes: number[] = [];
    let rest = BigInt(number);
    do {
      bytes.unshift(Number(BigInt.asUintN(8, rest)));
      rest >>= 8n;
    } while (rest !== 0n && rest !== -1n);
    if (number >= 0 && (bytes[0] ?? 0) > 127) bytes.unshift(0);
    writeBytes(Uint8Array.from(bytes));
  }

  function writeType(one: Type, of: Value): void {
    switch (one.kind) {
      case 'boolean':
        write(of ? 1 : 0, 1);
        return;
      case 'integer':
        writeInteger(of);
        return;
      case 'range':
        write(of - one.from, bitsFor(one.to - one.from + 1));
        return;
      case 'octets':
        writeBytes(of);
        return;
      case 'utf8':
        writeBytes(new TextEncoder().encode(of));
        return;
      case 'ia5':
        if (one.size === undefined) writeLength(of.length);
        else write(of.length - one.size[0], bitsFor(one.size[1] - one.size[0] + 1));
        for (const letter of of) write(letter.charCodeAt(0), 7);
        return;
      case 'enum':
        if (one.isExtensible) write(0, 1);
        write(of, bitsFor(one.values));
        return;
      case 'list':
        writeLength(of.length);
        for (const item of of) writeType(one.of, item);
        return;
      case 'choice': {
        if (one.isExtensible) write(0, 1);
        write(of.index, bitsFor(one.of.length));
        const chosen = one.of[of.index];
        if (chosen === undefined) throw new Error(`choice ${of.index} is not described`);
        writeType(chosen, of.value);
        return;
      }
      case 'sequence':
        if (one.isExtensible) write(0, 1);
        for (const { name, isOptional } of one.fields) if (isOptional) write(of[name] === undefined ? 0 : 1, 1);
        for (const field of one.fields) if (of[field.name] !== undefined) writeType(field.type, of[field.name]);
        return;
      case 'end':
        throw new Error('what is not read cannot be written');
    }
  }

  writeType(type, value);
  return Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, index) =>
    Array.from({ length: 8 }, (_bit, bit) => bits[index * 8 + bit] ?? 0).reduce((byte, bit) => byte * 2 + bit, 0),
  );
}
