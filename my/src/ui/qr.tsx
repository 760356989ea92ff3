import { useMemo } from 'react';
import { encode } from 'uqr';

/** Returns the dark squares of a code as one path, a rectangle per run of a row. */
function drawPath(rows: boolean[][]): string {
  const parts: string[] = [];
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x++;
      parts.push(`M${start} ${y}h${x - start + 1}v1h-${x - start + 1}z`);
    }
  }
  return parts.join('');
}

/** Shows a QR code, or the rows of an Aztec code, always black on white and with the quiet zone that scanners need. */
export function TicketCode({ code, format, label }: { code: string; format: 'qr' | 'aztec'; label: string }) {
  const { size, path } = useMemo(() => {
    const rows =
      format === 'qr'
        ? encode(code, { ecc: 'M', border: 4 }).data
        : code.split('\n').map((row) => [...row].map((square) => square === '1'));
    return { size: rows.length, path: drawPath(rows) };
  }, [code, format]);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
