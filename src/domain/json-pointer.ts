/** Returns a name as a segment of a JSON pointer (RFC 6901). */
export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

export const unescapePointer = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~');
