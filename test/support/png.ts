import { deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  // Nobody checks the sum.
  return Buffer.concat([length, Buffer.from(name, 'latin1'), data, Buffer.alloc(4)]);
}

interface PngFields {
  width?: number;
  height?: number;
  depth?: number;
  colourType?: number;
  interlace?: number;
  /** The rows before compression. */
  rows?: Buffer;
}

/** Returns a PNG file of one colour with transparency, or with whatever is wrong with it. */
export function makePng({
  width = 120,
  height = 40,
  depth = 8,
  colourType = 6,
  interlace = 0,
  rows,
}: PngFields = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([depth, colourType, 0, 0, interlace], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 4, Buffer.from([11, 114, 133, 255]))]);
  const pixels = rows ?? Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
