import { resolve } from 'node:path';
import { findNearestName } from '../../domain/nearest-name.ts';
import { readSecretFile } from './setting-file.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Settings that may contain a password. Each may also be given as a file: NAME_FILE names the file that contains it. */
const secretSettings = new Set([
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'SECRET',
  'SECRET_PREVIOUS',
  'APPLE_WALLET_KEY_PASSWORD',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SMTP_URL',
]);

/** Variables that libraries and the operating system read. */
const foreignSettings = /^(AWS_|OTEL_|NODE_|PG[A-Z]+$|(HTTPS?|NO)_PROXY$|TZ$|LANG$|LC_|SSL_CERT_|PATH$|HOME$|TMPDIR$)/;

export interface EffectiveSetting {
  readonly setting: string;
  readonly value: string | null;
  /** `default`, `environment`, `.env` or the path of the file that contains it. */
  readonly source: string;
}

const mask = '********';

function maskSecret(name: string, value: string): string {
  const isSecret = secretSettings.has(name) && value !== 'embedded';
  if (isSecret && !name.endsWith('_URL')) return mask;
  if (!/^[a-z0-9+.-]+:\/\//i.test(value) || !URL.canParse(value)) return isSecret ? mask : value;
  const url = new URL(value);
  if (url.password === '' && !url.searchParams.has('password')) return value;
  if (url.password !== '') url.password = mask;
  if (url.searchParams.has('password')) url.searchParams.set('password', mask);
  return url.href;
}

/** Looks settings up in the environment, and secrets also in the files that it names. Reads every file once. */
function createLookup(env: Env, problems: string[]) {
  const files = new Map<string, string | undefined>();
  const given = (name: string) => env[name]?.trim() || undefined;
  const fileOf = (name: string) => (secretSettings.has(name) ? given(`${name}_FILE`) : undefined);

  function readFile(name: string, path: string): string | undefined {
    try {
      return readSecretFile(`${name}_FILE`, resolve(path));
    } catch (error) {
      problems.push((error as Error).message);
      return undefined;
    }
  }

  function value(name: string): string | undefined {
    const own = given(name);
    const path = fileOf(name);
    if (path === undefined) return own;
    if (!files.has(name)) {
      if (own !== undefined) problems.push(`${name} and ${name}_FILE are both set. Remove one of them.`);
      files.set(name, own ?? readFile(name, path));
    }
    return files.get(name);
  }
  return { value, fileOf, isGiven: (name: string) => given(name) !== undefined || fileOf(name) !== undefined };
}

/** Collects all invalid settings, and the effective value and source of each. `dotEnv`: the names from `.env`. */
export function createReader(env: Env, dotEnv: readonly string[] = []) {
  const problems: string[] = [];
  const effective = new Map<string, EffectiveSetting>();
  const { value, fileOf, isGiven } = createLookup(env, problems);

  function findSource(name: string): string {
    if (!isGiven(name)) return 'default';
    const path = fileOf(name);
    if (path !== undefined) return resolve(path);
    return dotEnv.includes(name) ? '.env' : 'environment';
  }

  /** Records what takes effect and returns it. A given value is shown as given, even if it is invalid. */
  function record<T extends string | number | undefined>(name: string, result: T): T {
    const shown = value(name) ?? (isGiven(name) ? undefined : result);
    if (shown === undefined && effective.has(name)) return result;
    effective.set(name, {
      setting: name,
      value: shown === undefined ? null : maskSecret(name, String(shown)),
      source: findSource(name),
    });
    return result;
  }
  const fail = (name: string, expected: string) => {
    problems.push(`${name} must be ${expected}${secretSettings.has(name) ? '' : `, but is "${env[name]}"`}.`);
  };
  return {
    problems,
    fail,
    /** Returns whether the setting or its file is given, even if the file cannot be read. */
    isGiven,
    listEffective: (): EffectiveSetting[] => [...effective.values()],
    /** Describes the names in `.env` that nobody reads. Call it after all settings were read. */
    listUnknown(): string[] {
      const known = [...effective.keys()].flatMap((name) =>
        secretSettings.has(name) ? [name, `${name}_FILE`] : [name],
      );
      const unknown = dotEnv.filter((name) => !known.includes(name) && !foreignSettings.test(name));
      return unknown.map((name) => {
        const nearest = findNearestName(name, known);
        const remedy = nearest === undefined ? 'Remove it, or correct its name' : `Did you mean ${nearest}`;
        return `${name} in .env is not a setting, so it has no effect. ${remedy}${nearest === undefined ? '.' : '?'}`;
      });
    },
    /** Shows what applies while the setting is not given, if that is not a value of the setting. */
    showDefault: (name: string, text: string) => void record(name, text),
    text<F extends string | undefined = undefined>(name: string, fallback?: F): string | F {
      return record(name, value(name) ?? (fallback as F));
    },
    integer(name: string, fallback: number, min: number, max: number): number {
      const text = value(name);
      const isValid = text === undefined || (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max);
      if (!isValid) fail(name, `a whole number from ${min} to ${max}`);
      return record(name, isValid && text !== undefined ? Number(text) : fallback);
    },
    oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
      const text = value(name);
      const found = allowed.find((word) => word === text);
      if (text !== undefined && found === undefined) fail(name, `one of ${allowed.join(', ')}`);
      return record(name, found ?? fallback);
    },
    url<F extends string | undefined = undefined>(
      name: string,
      protocols: readonly string[],
      fallback?: F,
    ): string | F {
      const text = value(name);
      const isValid = text !== undefined && URL.canParse(text) && protocols.includes(new URL(text).protocol);
      if (text !== undefined && !isValid) {
        problems.push(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`);
      }
      return record(name, isValid ? text : (fallback as F));
    },
    file: (name: string) => resolve(record(name, value(name)) ?? ''),
    matching(name: string, pattern: RegExp, expected: string): string {
      const text = value(name) ?? '';
      if (!pattern.test(text)) fail(name, expected);
      return record(name, text);
    },
    /** Returns whether settings that depend on each other are all given. Reports a problem if only some of them are. */
    hasAll(names: readonly string[], optional: readonly string[] = []): boolean {
      for (const name of [...names, ...optional]) record(name, value(name));
      const missing = names.filter((name) => value(name) === undefined);
      const given = [...names, ...optional].filter((name) => value(name) !== undefined);
      if (missing.length > 0 && given.length > 0) {
        problems.push(`${missing.join(', ')} must also be set, because ${given[0]} is set.`);
      }
      return missing.length === 0;
    },
  };
}

export type Reader = ReturnType<typeof createReader>;
