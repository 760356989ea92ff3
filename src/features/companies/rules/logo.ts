import { logoLimits } from '../../../domain/choices.ts';

const signature = '89504e470d0a1a0a';

/** The values per pixel, by the colour type of PNG: grey, RGB, palette, grey and RGB with transparency. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

interface Pixels {
  /** The compressed rows. */
  data: Buffer;
  rows: number;
  /** The length of a row after decompression, with the byte that names its filter. */
  rowBytes: number;
}

/** Returns the parts of a PNG file with their names, or an empty list if one of them is cut off. */
function readChunks(file: Buffer): { name: string; data: Buffer }[] {
  const chunks: { name: string; data: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const end = at + 12 + (at + 8 <= file.length ? file.readUInt32BE(at) : file.length);
    if (end > file.length) return [];
    chunks.push({ name: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, end - 4) });
    at = end;
  }
  return chunks;
}

/** Returns the compressed pixels of a PNG file that letters can show, or undefined. Interlaced ones cannot be shown. */
export function readPixels(file: Buffer): Pixels | undefined {
  if (file.length > logoLimits.bytes || file.toString('hex', 0, 8) !== signature) return undefined;
  const chunks = readChunks(file);
  const [head] = chunks;
  if (head?.name !== 'IHDR' || head.data.length !== 13 || chunks.at(-1)?.name !== 'IEND') return undefined;
  const [width, rows] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  const [depth = 0, colourType = -1, compression, filter, interlace] = head.data.subarray(8);
  const values = channels[colourType];
  const isSmall = [width, rows].every((side) => side > 0 && side <= logoLimits.pixelsPerSide);
  const isPlain = compression === 0 && filter === 0 && interlace === 0;
  const isKnown = values !== undefined && (depth === 8 || (values === 1 && [1, 2, 4].includes(depth)));
  const hasPalette = colourType !== 3 || chunks.some(({ name }) => name === 'PLTE');
  if (!isSmall || !isPlain || !isKnown || !hasPalette) return undefined;
  const data = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map((chunk) => chunk.data));
  return { data, rows, rowBytes: 1 + Math.ceil((width * values * depth) / 8) };
}

/** Whether the decompressed rows are complete, and have filters that exist. */
export const isComplete = (unpacked: Buffer, { rows, rowBytes }: Pixels): boolean =>
  unpacked.length === rows * rowBytes &&
  Array.from({ length: rows }, (_, row) => unpacked[row * rowBytes] ?? 5).every((filter) => filter <= 4);
