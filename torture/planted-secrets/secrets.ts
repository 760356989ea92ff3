import { createRandom } from '../../src/operator/demo/random.ts';

/**
 * Text that must not appear again. A credential is shown once by the response that creates it, and stored as a hash.
 * Personal data is what the service processes, but it must not appear in any log. A stray is a secret sent by mistake
 * in a wrong place. It must leave no trace anywhere.
 */
export type SecretKind = 'credential' | 'personal' | 'stray';

/** Returns every form in which a text may have been written. In base64, it can begin at three offsets. */
function formsOf(text: string): string[] {
  const inBase64 = [0, 1, 2].map((shift) => {
    const bytes = Buffer.from('x'.repeat(shift) + text);
    return bytes.toString('base64').slice(shift === 0 ? 0 : 4, Math.floor(bytes.length / 3) * 4);
  });
  const inUrls = inBase64.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const plain = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), Buffer.from(text).toString('hex')];
  return [...new Set([...plain, ...inBase64, ...inUrls].map((form) => form.toLowerCase()))];
}

/** Creates the planted secrets, which differ by the seed, and finds them in a text. */
export function createSecrets(seed: number) {
  const random = createRandom(seed);
  const all: { kind: SecretKind; what: string; text: string; forms: string[] }[] = [];
  const alphabet = [...'ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'];
  /** Returns letters and digits only, so that no encoding of text changes them. */
  const word = (length = 24) => Array.from({ length }, () => random.pick(alphabet)).join('');
  const plant =
    (kind: SecretKind) =>
    (what: string, text: string = word()) => {
      if (text.length < 10) throw new Error(`${what} is too short to be recognised: it would be found by chance.`);
      all.push({ kind, what, text, forms: formsOf(text) });
      return text;
    };
  const twoDigits = (from: number, to: number) => String(random.int(from, to)).padStart(2, '0');
  const personal = plant('personal');
  const email = (what: string) => `${personal(what, word().toLowerCase())}@example.com`;
  return {
    all,
    word,
    credential: plant('credential'),
    stray: plant('stray'),
    personal,
    email,
    employee: () => ({
      hrId: personal('hrId'),
      firstName: personal('first name'),
      lastName: personal('last name'),
      email: email('email'),
      dateOfBirth: personal('date of birth', `19${twoDigits(30, 89)}-${twoDigits(1, 12)}-${twoDigits(1, 28)}`),
    }),
    findIn(text: string, kinds: readonly SecretKind[]) {
      const lower = text.toLowerCase();
      return all.filter(({ kind, forms }) => kinds.includes(kind) && forms.some((form) => lower.includes(form)));
    },
  };
}

export type Secrets = ReturnType<typeof createSecrets>;
