import { readFileSync } from 'node:fs';

/** Returns the version of the service. */
export const readVersion = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
