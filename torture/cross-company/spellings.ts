const inDigitsOf = (zero: number) => (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** An id unchanged, and in forms that some parsers treat as equal and others do not. */
export const spellings: ((id: string) => string)[] = [
  ...Array<(id: string) => string>(12).fill((id) => id),
  (id) => `0${id}`,
  (id) => `000000000000000000${id}`,
  (id) => ` ${id}`,
  (id) => `${id} `,
  (id) => `${id}\n`,
  (id) => `+${id}`,
  (id) => `-${id}`,
  (id) => `${id}.0`,
  (id) => `${id}e0`,
  (id) => `${id[0]}.${id.slice(1)}e${id.length - 1}`,
  (id) => `0x${Number.parseInt(id, 10).toString(16)}`,
  (id) => `${id}n`,
  (id) => `${id}\u0000`,
  (id) => `${id}/`,
  (id) => `${id}/../${id}`,
  (id) => `../${id}`,
  (id) => `${id}?`,
  (id) => `${id}#`,
  (id) => `${id};${id}`,
  (id) => `${id},${id}`,
  (id) => `[${id}]`,
  (id) => `{"id":${id}}`,
  (id) => `${id}' or '1'='1`,
  (id) => `${id}%20`,
  inDigitsOf(0x0660),
  inDigitsOf(0xff10),
];
