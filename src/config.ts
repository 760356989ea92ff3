import { resolve } from 'node:path';
import { type Environment, environments } from './domain/vocabulary.ts';
import { OperatorError } from './operator-error.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Config {
  readonly environment: Environment;
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash; every link is built from it, never from the `Host` header. */
  readonly publicUrl: string;
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly dataDir: string;
  readonly demo: boolean;
  readonly rateLimitPerMinute: number;
  readonly trustProxy: boolean;
  /** Requests are refused while the process lags behind by more than this. */
  readonly overloadDelayMillis: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly secret: string | undefined;
  /** A folder or an `s3://bucket/prefix` address. */
  readonly documentStore: string;
  readonly metricsPort: number | undefined;
  /** Whether this process applies what is accepted, besides serving the API. */
  readonly worker: boolean;
  readonly maxSyncBytes: number;
  readonly maxSyncEntries: number;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Collects what is wrong, so that the operator mends all of it at once. */
function createReader(env: Env) {
  const problems: string[] = [];
  const value = (name: string) => env[name]?.trim() || undefined;
  const fail = (name: string, wanted: string) => {
    problems.push(`${name} must be ${wanted}, but is "${env[name]}".`);
  };
  return {
    problems,
    text: value,
    integer(name: string, fallback: number, min: number, max: number): number {
      const text = value(name);
      if (text === undefined) return fallback;
      if (!/^\d{1,15}$/.test(text) || Number(text) < min || Number(text) > max) {
        fail(name, `a whole number from ${min} to ${max}`);
        return fallback;
      }
      return Number(text);
    },
    oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
      const text = value(name);
      if (text === undefined) return fallback;
      const found = allowed.find((word) => word === text);
      if (found === undefined) fail(name, `one of ${allowed.join(', ')}`);
      return found ?? fallback;
    },
    url(name: string, protocols: readonly string[]): string | undefined {
      const text = value(name);
      if (text === undefined) return undefined;
      if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
        problems.push(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`);
        return undefined;
      }
      return text;
    },
  };
}

type Reader = ReturnType<typeof createReader>;

function readDatabaseUrl(read: Reader, environment: Environment): string | undefined {
  const given = read.text('DATABASE_URL');
  if (given === 'embedded') return undefined;
  if (given === undefined && environment === 'production') {
    read.problems.push(
      'DATABASE_URL is required in production (DATABASE_URL=embedded asks for the embedded PostgreSQL on purpose).',
    );
  }
  return read.url('DATABASE_URL', ['postgres:', 'postgresql:']);
}

function readSecret(read: Reader, environment: Environment): string | undefined {
  const secret = read.text('SECRET');
  if (secret === undefined && environment === 'production') {
    read.problems.push('SECRET is required in production (for example the output of `openssl rand -hex 32`).');
  }
  if (secret !== undefined && secret.length < 32) read.problems.push('SECRET must have at least 32 characters.');
  return secret;
}

/** Reads and checks every setting once. Settings and their meaning are listed in `.env.example`. */
export function readConfig(env: Env): Config {
  const read = createReader(env);
  const environment = read.oneOf('ENVIRONMENT', environments, 'staging');
  const port = read.integer('PORT', 3000, 0, 65_535);
  const dataDir = resolve(read.text('DATA_DIR') ?? './data');
  const demo = read.oneOf('DEMO', ['on', 'off'], environment === 'staging' ? 'on' : 'off') === 'on';
  if (demo && environment === 'production') read.problems.push('DEMO=on is refused in production.');
  const metricsPort = read.integer('METRICS_PORT', 0, 0, 65_535);
  const config: Config = {
    environment,
    host: read.text('HOST') ?? '127.0.0.1',
    port,
    publicUrl: (read.url('PUBLIC_URL', ['http:', 'https:']) ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    databaseUrl: readDatabaseUrl(read, environment),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, 1, 500),
    dataDir,
    demo,
    rateLimitPerMinute: read.integer('RATE_LIMIT_PER_MINUTE', 300, 0, 1_000_000_000),
    trustProxy: read.oneOf('TRUST_PROXY', ['on', 'off'], 'off') === 'on',
    overloadDelayMillis: read.integer('OVERLOAD_DELAY_MS', 3_000, 10, 60_000),
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
    secret: readSecret(read, environment),
    documentStore: read.text('DOCUMENT_STORE') ?? resolve(dataDir, 'documents'),
    metricsPort: metricsPort === 0 ? undefined : metricsPort,
    worker: read.oneOf('WORKER', ['on', 'off'], 'on') === 'on',
    maxSyncBytes: read.integer('MAX_SYNC_BYTES', 128 * 1024 * 1024, 1024, 1024 * 1024 * 1024),
    maxSyncEntries: read.integer('MAX_SYNC_ENTRIES', 250_000, 1, 10_000_000),
  };
  if (read.problems.length > 0) throw new OperatorError(read.problems.join(' '));
  return Object.freeze(config);
}
