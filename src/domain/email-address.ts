const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
const pattern = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`, 'u');

/** Accepts internationalised addresses. Quoted local parts and hosts without a domain are not addresses of people. */
export const isEmailAddress = (text: string) => pattern.test(text);
