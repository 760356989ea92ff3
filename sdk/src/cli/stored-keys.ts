import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, usageError } from './errors.ts';

/** Keys that `transit login` has stored, by the name of their profile. */

export interface StoredKey {
  /** The address of the service that the key is for. It is sent to no other origin. */
  url: string;
  key: string;
}

type Profiles = Record<string, StoredKey>;
type Environment = Record<string, string | undefined>;

/** Returns the file with the keys. Only its owner may read it. */
export const keyFile = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'transit-benefits', 'keys.json');

/** Throws if the address is no URL of a web server. */
export function originOf(url: string): string {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' };
  if (protocol === 'https:' || protocol === 'http:') return origin;
  throw usageError(`"${url}" is no address of a service. It looks like https://benefits.example.com.`);
}

const isStoredKey = (value: unknown): value is StoredKey => {
  const { url, key } = (value ?? {}) as Partial<StoredKey>;
  return typeof url === 'string' && URL.canParse(url) && typeof key === 'string';
};

export function readKeys(env: Environment): Profiles {
  const file = keyFile(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return {};
    throw new CommandError(`${file} cannot be read (${(error as { code?: string }).code}).`);
  }
  try {
    const profiles = JSON.parse(text) as Profiles;
    if (!Object.values(profiles).every(isStoredKey)) throw new SyntaxError('no keys');
    return profiles;
  } catch {
    throw new CommandError(`${file} is damaged. Delete it and sign in again with \`transit login\`.`);
  }
}

/** Writes the keys. A crash leaves the old file, and nobody else can read the new one at any time. */
export function writeKeys(env: Environment, profiles: Profiles): void {
  const file = keyFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
