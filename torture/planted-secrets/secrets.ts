import type { Random } from '../../src/demo/random.ts';

/**
 * Text that must not appear again. A credential is shown once by the response that creates it, and stored as a hash.
 * Personal data is what the service processes, but it must not appear in any log. A stray is a secret sent by mistake
 * in a wrong place. It must leave no trace anywhere.
 */
export type SecretKind = 'credential' | 'personal' | 'stray';

export interface Secret {
  kind: SecretKind;
  what: string;
  text: string;
}

/**
 * Returns the text as it appears inside base64, for each of the three offsets it can begin at. The ends are omitted
 * because they depend on the adjacent bytes.
 */
const base64Cores = (text: string): string[] =>
  [0, 1, 2].map((shift) => {
    const bytes = Buffer.from('x'.repeat(shift) + text);
    return bytes.toString('base64').slice(shift === 0 ? 0 : 4, Math.floor(bytes.length / 3) * 4);
  });

/**
 * Returns every form in which a text may have been written, in lower case, because addresses are stored in lower case.
 */
function formsOf(text: string): string[] {
  const cores = base64Cores(text);
  const urls = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const plain = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), Buffer.from(text).toString('hex')];
  return [...new Set([...plain, ...cores, ...urls].map((form) => form.toLowerCase()))];
}

/** Holds the planted secrets and finds them in a text. */
export class Secrets {
  readonly all: Secret[] = [];
  readonly #random: Random;
  readonly #forms = new Map<string, string[]>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns letters and digits only, so that no encoding of text changes them. */
  word(length = 24): string {
    const alphabet = [...'ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'];
    return Array.from({ length }, () => this.#random.pick(alphabet)).join('');
  }

  /** Returns a date that does not otherwise occur here. */
  date(): string {
    const two = (from: number, to: number) => String(this.#random.int(from, to)).padStart(2, '0');
    return `19${two(30, 89)}-${two(1, 12)}-${two(1, 28)}`;
  }

  /** Plants a random word, or a text that the service has created. */
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
