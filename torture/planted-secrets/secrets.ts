import type { Random } from '../../src/demo/random.ts';

/**
 * What nobody may find again. A credential is shown once by the answer that makes it, and kept as a hash. Personal data is
 * what the service is for, but none of it belongs into a log. A stray is a secret in a place where it does not belong, sent
 * by mistake; it must leave no trace anywhere.
 */
export type SecretKind = 'credential' | 'personal' | 'stray';

export interface Secret {
  kind: SecretKind;
  what: string;
  text: string;
}

/** As it looks inside base64, at each of the three places a text can begin at; the ends depend on what stands beside. */
const base64Cores = (text: string): string[] =>
  [0, 1, 2].map((shift) => {
    const bytes = Buffer.from('x'.repeat(shift) + text);
    return bytes.toString('base64').slice(shift === 0 ? 0 : 4, Math.floor(bytes.length / 3) * 4);
  });

/** Every form in which a text may have been written down, in lower case: addresses are kept so. */
function formsOf(text: string): string[] {
  const cores = base64Cores(text);
  const urls = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const plain = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), Buffer.from(text).toString('hex')];
  return [...new Set([...plain, ...cores, ...urls].map((form) => form.toLowerCase()))];
}

/** What is planted, and what of it stands in a text. */
export class Secrets {
  readonly all: Secret[] = [];
  readonly #random: Random;
  readonly #forms = new Map<string, string[]>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Letters and digits alone, so that no way of writing text down changes it. */
  word(length = 24): string {
    const alphabet = [...'ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'];
    return Array.from({ length }, () => this.#random.pick(alphabet)).join('');
  }

  /** A day that is no other day here. */
  date(): string {
    const two = (from: number, to: number) => String(this.#random.int(from, to)).padStart(2, '0');
    return `19${two(30, 89)}-${two(1, 12)}-${two(1, 28)}`;
  }

  /** A word of our own, or one that the service has made. */
  plant(kind: SecretKind, what: string, text = this.word()): string {
    if (text.length < 10) throw new Error(`${what} is too short to be recognised: it would be found by chance.`);
    this.all.push({ kind, what, text });
    this.#forms.set(text, formsOf(text));
    return text;
  }

  findIn(text: string, kinds: readonly SecretKind[]): Secret[] {
    const lower = text.toLowerCase();
    return this.all.filter(
      ({ kind, text: secret }) => kinds.includes(kind) && this.#forms.get(secret)?.some((form) => lower.includes(form)),
    );
  }
}
