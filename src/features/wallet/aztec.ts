import { LRUCache } from 'lru-cache';

/** Draws the barcodes of issuers, which inspectors expect as Aztec codes. */

/** Drawing one takes up to 50 ms, and a month has the same codes. */
const drawn = new LRUCache<string, Promise<boolean[][]>>({ max: 1_000 });

/** Two units of the drawing are one square of the code. */
const unit = 2;

/** Returns the squares of outlines that are filled by the even-odd rule: those with an odd number of edges to their left. */
function fillOutlines(path: string, size: number): boolean[][] {
  const crossings = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
  for (const outline of path.split('Z')) {
    const points = [...outline.matchAll(/[ML](\d+) (\d+)/g)].map(([, x, y]) => [Number(x) / unit, Number(y) / unit]);
    for (const [index, [x = 0, y = 0]] of points.entries()) {
      const [nextX, nextY = 0] = points[(index + 1) % points.length] ?? [];
      if (nextX !== x) continue;
      for (let row = Math.min(y, nextY); row < Math.max(y, nextY); row++) {
        const line = crossings[row];
        if (line) line[x] = (line[x] ?? 0) + 1;
      }
    }
  }
  return crossings.map((line) => {
    let edges = 0;
    return line.slice(0, size).map((count) => {
      edges += count;
      return edges % 2 === 1;
    });
  });
}

const bits = (value: number, count: number) => value.toString(2).padStart(count, '0');

/**
 * Returns the data of a code as bits: the shift to bytes, their number, and the bytes. Barcodes are compressed, so the
 * shorter encodings of letters and digits, which the library looks for in three times as long, save nothing.
 */
export function toBits(content: string): string {
  const bytes = Buffer.from(content, 'latin1');
  const length = bytes.length < 32 ? bits(bytes.length, 5) : bits(0, 5) + bits(bytes.length - 31, 11);
  return `${bits(31, 5)}${length}${[...bytes].map((byte) => bits(byte, 8)).join('')}`;
}

/** As `drawAztec`, but draws codes that nobody needs again. */
export async function drawAztecOnce(content: string): Promise<boolean[][]> {
  // Loaded only if needed: it takes much memory and time to start.
  const { toSVG } = await import('bwip-js/generic');
  const options = { bcid: 'azteccode', text: toBits(content), raw: true, scale: 1 };
  const svg = toSVG(options);
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) / unit;
  return fillOutlines(/ d="([^"]+)"/.exec(svg)?.[1] ?? '', size);
}

/** Returns the rows of an Aztec code, without the quiet zone, which it does not need. Each character is one byte. */
export function drawAztec(content: string): Promise<boolean[][]> {
  const known = drawn.get(content);
  if (known !== undefined) return known;
  const rows = drawAztecOnce(content);
  drawn.set(content, rows);
  rows.catch(() => drawn.delete(content));
  return rows;
}
