/** Words of examples and placeholders. One of them occurs in about three of a million random secrets in base64. */
const placeholders = /secret|passwor|change.?me|example|default|qwert|asdfg|foobar|letmein/i;

/**
 * Estimates the entropy of a secret in bits: the number of characters that the ones before do not predict, times the
 * bits of the alphabet in use. A character is predictable if the same two characters stood together earlier, as in
 * repetitions, or if the same two steps did, as in sequences. Words of a language are not recognised.
 */
function estimateSecretBits(secret: string): number {
  const seen = new Set<string>();
  let surprising = 1;
  for (let index = 1; index < secret.length; index++) {
    const step = (place: number) => secret.charCodeAt(place) - secret.charCodeAt(place - 1);
    const pair = secret.slice(index - 1, index + 1);
    const steps = `steps ${step(index - 1)} ${step(index)}`;
    if (!(seen.has(pair) || seen.has(steps))) surprising += 1;
    seen.add(pair).add(steps);
  }
  return surprising * Math.log2(new Set(secret).size);
}

/** 32 random hexadecimal digits have more than 80 bits, and fewer than 64 less than once in a million. */
const minSecretBits = 64;

export const isWeakSecret = (secret: string): boolean =>
  placeholders.test(secret) || estimateSecretBits(secret) < minSecretBits;
