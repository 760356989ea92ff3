/**
 * A text and the start of each of its characters, in multiples of the font size. Measured once, it can be broken at any
 * size.
 */
export interface MeasuredText {
  text: string;
  /** Has one more element than there are characters, for the end. */
  starts: number[];
}

export interface Line {
  text: string;
  width: number;
}

interface Span {
  from: number;
  to: number;
}

export function measure(text: string, advances: number[]): MeasuredText {
  const starts = [0];
  for (const advance of advances) starts.push((starts.at(-1) ?? 0) + advance);
  return { text, starts };
}

const widthOf = ({ starts }: MeasuredText, { from, to }: Span) => (starts[to] ?? 0) - (starts[from] ?? 0);

const spansOf = (text: string, pattern: RegExp, offset = 0): Span[] =>
  Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({
    from: offset + index,
    to: offset + index + match.length,
  }));

/** Splits a text where lines may end: at spaces, after hyphens, and inside a word only if it is longer than a line. */
function piecesOf(measured: MeasuredText, width: number): Span[] {
  return spansOf(measured.text, /[^ -]*-+|[^ -]+/g).flatMap((word) =>
    widthOf(measured, word) <= width
      ? [word]
      : spansOf(measured.text.slice(word.from, word.to), /.\p{Mark}*/gsu, word.from),
  );
}

function breakSpans(measured: MeasuredText, width: number): Span[] {
  const lines: Span[] = [];
  for (const { from, to } of piecesOf(measured, width)) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(measured, { from: line.from, to }) <= width) line.to = to;
    else lines.push({ from, to });
  }
  return lines;
}

export interface Limits {
  /** In multiples of the font size, like the width of the ellipsis. */
  width: number;
  maxLines: number;
  ellipsisWidth: number;
}

function shorten(measured: MeasuredText, { from, to }: Span, { width, ellipsisWidth }: Limits): Line {
  let end = to;
  const isTooLong = () => widthOf(measured, { from, to: end }) + ellipsisWidth > width;
  while (end > from && (isTooLong() || /^[\p{Mark} ]$/u.test(measured.text.charAt(end)))) end--;
  return {
    text: `${measured.text.slice(from, end)}…`,
    width: widthOf(measured, { from, to: end }) + ellipsisWidth,
  };
}

/** Returns the lines of a text, and whether they contain all of it. If not, the last line ends in an ellipsis. */
export function breakLines(measured: MeasuredText, limits: Limits): { lines: Line[]; isWhole: boolean } {
  const spans = breakSpans(measured, limits.width);
  const isWhole = spans.length <= limits.maxLines;
  const lines = spans
    .slice(0, limits.maxLines)
    .map((span, index) =>
      isWhole || index < limits.maxLines - 1
        ? { text: measured.text.slice(span.from, span.to), width: widthOf(measured, span) }
        : shorten(measured, span, limits),
    );
  return { lines, isWhole };
}
