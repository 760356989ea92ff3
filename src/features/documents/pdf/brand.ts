import { type Pdf, setText } from './text-block.ts';

export const brandName = 'Transit Benefits';
const color = '#0b7285';

/** The front of a train on its rails, in a square of 32: the same shape as the icon of the API reference. */
const train = 'M8 7.5 a3 3 0 0 1 3 -3 h10 a3 3 0 0 1 3 3 v11 a4 4 0 0 1 -4 4 h-8 a4 4 0 0 1 -4 -4 z';
const windscreen = 'M10.5 8.5 h11 v6 h-11 z';
const rails = 'M10 27.5 l3 -3.5 h6 l3 3.5';

/** Draws the mark and the name, which ends at the right edge. */
export function drawBrand(pdf: Pdf, end: number, y: number, size: number): void {
  const style = { face: 'semibold', size: size / 2, leading: 2, color } as const;
  const width = pdf.font(style.face).fontSize(style.size).widthOfString(brandName) + 0.5;
  const x = end - width - size * 1.4;
  pdf
    .save()
    .translate(x, y)
    .scale(size / 32);
  pdf.roundedRect(0, 0, 32, 32, 7).fill(color);
  pdf.path(train).fill('#ffffff');
  pdf.path(windscreen).circle(12, 18.6, 1.3).circle(20, 18.6, 1.3).fill(color);
  pdf.path(rails).lineWidth(1.8).lineCap('round').lineJoin('round').stroke('#ffffff');
  pdf.restore();
  setText(pdf, brandName, style, { x: end - width, y, width });
}
