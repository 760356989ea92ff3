/** A piece of XML. Absent elements are undefined and left out. */
export type Xml = string | undefined;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text. Removes characters that XML 1.0 cannot contain. */
const escapeXml = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match them.
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);

/** Returns an element with a text, or undefined if there is no text. The name may include attributes. */
export function leaf(name: string, text: string | number | null | undefined): Xml {
  if (text === null || text === undefined || text === '') return undefined;
  return `<${name}>${escapeXml(String(text))}</${name.split(' ', 1)[0]}>`;
}

/** Returns an element with its children. Undefined children are left out. */
export const element = (name: string, ...children: Xml[]): string =>
  `<${name}>${children.join('')}</${name.split(' ', 1)[0]}>`;

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Returns cents as a decimal number. */
export const decimal = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
