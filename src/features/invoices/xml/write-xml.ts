/**
 * Elements by name, which may include attributes. A list repeats its element. What is null, undefined, an empty text, or
 * consists of such alone, is left out. Only `{}` is an empty element.
 */
export interface Xml {
  [name: string]: Content | readonly Content[];
}
type Content = Xml | string | number | null | undefined;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text. Removes characters that XML 1.0 cannot contain. */
const escapeXml = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match them.
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);

/** Returns the prefix of an element whose name has none. */
type PrefixOf = (isText: boolean) => string;

function writeElement(name: string, content: Content, prefixOf: PrefixOf): string {
  const isText = typeof content !== 'object';
  const start = name.includes(':') ? name : `${prefixOf(isText)}${name}`;
  const inner = isText ? escapeXml(String(content ?? '')) : writeElements(content ?? {}, prefixOf);
  if (inner !== '') return `<${start}>${inner}</${start.split(' ', 1)[0]}>`;
  return content && !isText && Object.keys(content).length === 0 ? `<${start}/>` : '';
}

const writeElements = (xml: Xml, prefixOf: PrefixOf): string =>
  Object.entries(xml)
    .flatMap(([name, content]) => [content].flat().map((one) => writeElement(name, one, prefixOf)))
    .join('');

/** Returns a file whose root has these namespaces. */
export const writeXml = (root: string, namespaces: Record<string, string>, xml: Xml, prefixOf: PrefixOf): string => {
  const attributes = Object.entries(namespaces).map(([name, uri]) => ` ${name}="${uri}"`);
  const content = writeElements(xml, prefixOf);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attributes.join('')}>${content}</${root}>\n`;
};

/** Returns cents as a decimal number. */
export const decimal = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
