/** The part of a font that one document needs, in the form that pdfkit expects. */
interface Subset {
  /** Returns the number of the glyph inside the subset. */
  includeGlyph(id: number): number;
  encode(): Buffer;
}

interface Outline {
  bytes: Buffer;
  /** The offsets at which a composite outline refers to its component glyphs. */
  references: number[];
}

/** Flags of a component of a composite outline. They define its length and whether another component follows. */
const [wideOffset, oneScale, anotherPart, twoScales, fourScales] = [0x1, 0x8, 0x20, 0x40, 0x80];

/**
 * Returns the offsets of component references. Composite outlines have a negative contour count and list their
 * components after ten bytes.
 */
function referencesOf(outline: Buffer): number[] {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return [];
  const references: number[] = [];
  for (let at = 10, flags = anotherPart; flags & anotherPart; ) {
    flags = outline.readUInt16BE(at);
    references.push(at + 2);
    const scales = flags & fourScales ? 8 : flags & twoScales ? 4 : flags & oneScale ? 2 : 0;
    at += (flags & wideOffset ? 8 : 6) + scales;
  }
  return references;
}

function readTables(font: Buffer): Map<string, Buffer> {
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  return new Map(
    entries.map((at) => {
      const offset = font.readUInt32BE(at + 8);
      return [font.toString('latin1', at, at + 4), font.subarray(offset, offset + font.readUInt32BE(at + 12))];
    }),
  );
}

/** Joins a directory and the tables, each aligned to four bytes. PDF readers ignore the checksums, which stay 0. */
function joinTables(tables: [tag: string, table: Buffer][]): Buffer {
  const directory = Buffer.alloc(12 + tables.length * 16);
  const log = Math.floor(Math.log2(tables.length));
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(tables.length, 4);
  directory.writeUInt16BE(2 ** log * 16, 6);
  directory.writeUInt16BE(log, 8);
  directory.writeUInt16BE((tables.length - 2 ** log) * 16, 10);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  tables.forEach(([tag, table], index) => {
    const entry = 12 + index * 16;
    directory.write(tag, entry, 'latin1');
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(table.length, entry + 12);
    const padding = Buffer.alloc(-table.length & 3);
    parts.push(table, padding);
    offset += table.length + padding.length;
  });
  return Buffer.concat(parts);
}

function withNumber(table: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(table);
  changed.writeUInt16BE(value, at);
  return changed;
}

/**
 * Creates subsets of a TrueType font. fontkit could do it, but it parses every outline for every document to find the
 * composite ones, which took 1.7 of the 4.4 ms per document. This code copies and inspects each outline once.
 */
export function createSubsetter(font: Buffer): () => Subset {
  const tables = readTables(font);
  const table = (tag: string) => tables.get(tag) ?? Buffer.alloc(0);
  const [head, hhea, maxp, hmtx] = [table('head'), table('hhea'), table('maxp'), table('hmtx')];
  const [loca, glyf, prep] = [table('loca'), table('glyf'), table('prep')];
  // Inter has long offsets and a width for every glyph. Other forms of these tables are not supported.
  if (head.readUInt16BE(50) !== 1 || hhea.readUInt16BE(34) !== maxp.readUInt16BE(4)) {
    throw new Error('The font needs long offsets and a width for every glyph.');
  }
  const outlines = new Map<number, Outline>();

  function outlineOf(id: number): Outline {
    const known = outlines.get(id);
    if (known !== undefined) return known;
    const bytes = glyf.subarray(loca.readUInt32BE(id * 4), loca.readUInt32BE(id * 4 + 4));
    const outline = { bytes, references: referencesOf(bytes) };
    outlines.set(id, outline);
    return outline;
  }

  return () => {
    const numbers = new Map<number, number>();
    function includeGlyph(id: number): number {
      const number = numbers.get(id) ?? numbers.size;
      if (number === numbers.size) numbers.set(id, number);
      return number;
    }
    // The glyph for missing characters comes first in every font.
    includeGlyph(0);

    function copyOutline(id: number): Buffer {
      const { bytes, references } = outlineOf(id);
      return references.reduce((copy, at) => withNumber(copy, at, includeGlyph(bytes.readUInt16BE(at))), bytes);
    }

    function encode(): Buffer {
      const copies: Buffer[] = [];
      const offsets = [0];
      const widths: Buffer[] = [];
      // Components of composite outlines are added to `numbers` during the loop, and are then visited as well.
      for (const id of numbers.keys()) {
        const copy = copyOutline(id);
        copies.push(copy);
        offsets.push((offsets.at(-1) ?? 0) + copy.length);
        widths.push(hmtx.subarray(id * 4, id * 4 + 4));
      }
      const places = Buffer.alloc(offsets.length * 4);
      offsets.forEach((offset, index) => {
        places.writeUInt32BE(offset, index * 4);
      });
      return joinTables([
        ['glyf', Buffer.concat(copies)],
        ['head', head],
        ['hhea', withNumber(hhea, 34, copies.length)],
        ['hmtx', Buffer.concat(widths)],
        ['loca', places],
        ['maxp', withNumber(maxp, 4, copies.length)],
        ['prep', prep],
      ]);
    }
    return { includeGlyph, encode };
  };
}
