import iconv from 'iconv-lite';

/**
 * Encodes text as Windows-1252, which DATEV reads. Throws if a character has no code there: replaced by a question mark,
 * it would be booked as something else. Our files consist of fixed texts and numbers, so that no company's data cause it.
 */
export function encodeWindows1252(text: string): Buffer {
  const encoded = iconv.encode(text, 'windows-1252');
  if (iconv.decode(encoded, 'windows-1252') !== text) {
    const lost = [...text].filter((one) => iconv.decode(iconv.encode(one, 'windows-1252'), 'windows-1252') !== one);
    throw new Error(
      `Windows-1252 has no ${[...new Set(lost)]
        .slice(0, 10)
        .map((one) => JSON.stringify(one))
        .join(', ')}.`,
    );
  }
  return encoded;
}
