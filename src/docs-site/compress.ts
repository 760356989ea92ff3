import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { StaticFile } from './site.ts';

type Encoding = 'br' | 'gzip' | 'identity';

export interface Answer {
  encoding: Encoding;
  etag: string;
  bytes: Buffer;
}

const compressors: { [name in Encoding]: (bytes: Buffer) => Promise<Buffer> } = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
  identity: async (bytes) => bytes,
};

/** Fonts are compressed already. */
const isCompressible = (type: string) => /^(text\/|image\/svg)/.test(type);

function chooseEncoding(type: string, accepted: string): Encoding {
  if (!isCompressible(type)) return 'identity';
  const names = accepted.split(',').map((part) => part.trim());
  const accepts = (name: string) =>
    names.some((one) => one === name || (one.startsWith(`${name};`) && !/q=0(\.0*)?$/.test(one)));
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : 'identity';
}

export function createCompressor() {
  const answers = new WeakMap<StaticFile, Map<Encoding, Promise<Answer>>>();
  return (file: StaticFile, acceptEncoding: string): Promise<Answer> => {
    const encoding = chooseEncoding(file.type, acceptEncoding);
    const known = answers.get(file) ?? new Map<Encoding, Promise<Answer>>();
    answers.set(file, known);
    const hash = () => createHash('sha256').update(file.bytes).digest('base64url').slice(0, 16);
    const answer =
      known.get(encoding) ??
      compressors[encoding](file.bytes).then((bytes) => ({ encoding, etag: `"${hash()}-${encoding}"`, bytes }));
    known.set(encoding, answer);
    return answer;
  };
}
