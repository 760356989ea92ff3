import { Resolver } from 'node:dns';
import { resolve } from 'node:path';
import { type Environment, environments, type Provider } from '../../domain/enums.ts';
import { isConnectTimeout } from '../db/connect-timeout.ts';
import { parsePairs, samplers, type TracingSettings } from '../telemetry/tracing/settings.ts';
import { maxAllowed, parseMailAllow } from './mail-allow.ts';
import { OperatorError } from './operator-error.ts';
import { isWeakSecret } from './secret-strength.ts';
import { createReader, type EffectiveSetting, type Env, type Reader } from './settings-reader.ts';
import { parseTrustProxy, type TrustedProxies, trustProxyRule } from './trusted-proxies.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Origins that replace those of HR systems, on staging only. Undefined: the HR system itself. */
export type ProviderOrigins = Readonly<Partial<Record<Provider, string | undefined>>>;

/** Reads the URL of a database, and checks its `connect_timeout`, which pg would ignore. */
function readPostgresUrl(read: Reader, setting: string): string | undefined {
  const url = read.url(setting, ['postgres:', 'postgresql:']);
  if (url !== undefined && !isConnectTimeout(new URL(url).searchParams.get('connect_timeout'))) {
    read.problems.push(`connect_timeout in ${setting} must be a whole number of seconds from 1 to 600.`);
  }
  return url;
}

function readDatabaseUrl(read: Reader, environment: Environment): string | undefined {
  const given = read.text('DATABASE_URL');
  if (given === 'embedded') return undefined;
  if (!read.isGiven('DATABASE_URL') && environment === 'production') {
    read.problems.push(
      'DATABASE_URL is required in production (DATABASE_URL=embedded selects the embedded PostgreSQL explicitly).',
    );
  }
  const url = readPostgresUrl(read, 'DATABASE_URL');
  if (environment !== 'production') read.showDefault('DATABASE_URL', 'embedded');
  return url;
}

function readDatabaseOwnerUrl(read: Reader): string | undefined {
  const isEmbedded = !read.isGiven('DATABASE_URL') || read.text('DATABASE_URL') === 'embedded';
  if (read.isGiven('DATABASE_OWNER_URL') && isEmbedded) {
    read.problems.push('DATABASE_OWNER_URL requires DATABASE_URL, because the embedded PostgreSQL has its own owner.');
  }
  return readPostgresUrl(read, 'DATABASE_OWNER_URL');
}

function readSecret(read: Reader, environment: Environment): string | undefined {
  const secret = read.text('SECRET');
  if (!read.isGiven('SECRET') && environment === 'production') {
    read.problems.push('SECRET is required in production (for example the output of `openssl rand -hex 32`).');
  }
  if (secret !== undefined && secret.length < 32) read.problems.push('SECRET must have at least 32 characters.');
  else if (secret !== undefined && environment === 'production' && isWeakSecret(secret)) {
    read.problems.push(
      'SECRET can be guessed. Use random characters, for example the output of `openssl rand -hex 32`.',
    );
  }
  return secret;
}

function readSecretPrevious(read: Reader): string | undefined {
  const previous = read.text('SECRET_PREVIOUS');
  if (previous !== undefined && previous === read.text('SECRET')) {
    read.problems.push('SECRET_PREVIOUS is the same as SECRET. Set it to the former SECRET, or remove it.');
  }
  return previous;
}

/** Requires https in production, so that cookies and keys are never sent unencrypted. */
function readPublicUrl(read: Reader, environment: Environment, port: number): string {
  const given = read.text('PUBLIC_URL');
  if (environment === 'production' && (given === undefined || given.startsWith('http:'))) {
    read.problems.push('PUBLIC_URL is required in production and must start with https://.');
  }
  return read.url('PUBLIC_URL', ['http:', 'https:'], `http://localhost:${port}`).replace(/\/+$/, '');
}

/** Returns the address of the other environment. Both environments may have both settings. */
function readOtherUrl(read: Reader, environment: Environment, publicUrl: string): string | undefined {
  const readEnvironment = (name: 'PRODUCTION_URL' | 'STAGING_URL') =>
    read.url(name, ['http:', 'https:'])?.replace(/\/+$/, '');
  const urls = { production: readEnvironment('PRODUCTION_URL'), staging: readEnvironment('STAGING_URL') };
  const own = urls[environment];
  if (own !== undefined && own !== publicUrl) {
    const name = environment === 'production' ? 'PRODUCTION_URL' : 'STAGING_URL';
    read.problems.push(
      `${name} is ${own}, but the PUBLIC_URL of this environment is ${publicUrl}. Set both to the same.`,
    );
  }
  return urls[environment === 'production' ? 'staging' : 'production'];
}

/** Returns the requests per minute, 0 for no limit. Without a limit for keys, there are no other limits. */
function readRateLimits(read: Reader) {
  const perMinute = (name: string, fallback: number) => read.integer(name, fallback, 0, 1_000_000_000);
  const limits = {
    key: perMinute('RATE_LIMIT_PER_MINUTE', 300),
    portal: perMinute('PORTAL_RATE_LIMIT_PER_MINUTE', 600),
    /** Entra ID sends up to 25 requests a second. */
    scim: perMinute('SCIM_RATE_LIMIT_PER_MINUTE', 3_000),
    wallet: 120,
    /** One click in a mail program arrives from the network of its provider, together with those of others. */
    unsubscribe: 600,
    /** An HR system sends the webhooks of all its customers from few networks. */
    hint: 600,
    signing: 120,
    invitation: 30,
    access: 120,
  };
  const none = { key: 0, portal: 0, scim: 0, wallet: 0, signing: 0, invitation: 0, access: 0, unsubscribe: 0, hint: 0 };
  return limits.key === 0 ? none : limits;
}
export type RateLimits = ReturnType<typeof readRateLimits>;

function readTrustProxy(read: Reader): TrustedProxies | undefined {
  const trusted = parseTrustProxy(read.text('TRUST_PROXY', 'off'));
  if (trusted !== false) return trusted;
  read.fail('TRUST_PROXY', trustProxyRule);
  return undefined;
}

function readDnsServers(read: Reader): string[] | undefined {
  const servers = read
    .text('DNS_SERVERS')
    ?.split(',')
    .map((server) => server.trim());
  try {
    new Resolver().setServers(servers ?? []);
    return servers;
  } catch {
    read.fail('DNS_SERVERS', 'a list of IP addresses such as "9.9.9.9, [2620:fe::fe]:53"');
    return undefined;
  }
}

/** Returns the credentials that Apple issues to a developer who signs passes. Undefined: no passes for this wallet. */
function readAppleWallet(read: Reader) {
  const needed = ['CERTIFICATE', 'KEY', 'WWDR', 'PASS_TYPE', 'TEAM'].map((name) => `APPLE_WALLET_${name}`);
  if (!read.hasAll(needed, ['APPLE_WALLET_KEY_PASSWORD'])) return undefined;
  const identifier = 'an identifier such as pass.com.example.ticket';
  return {
    certificateFile: read.file('APPLE_WALLET_CERTIFICATE'),
    keyFile: read.file('APPLE_WALLET_KEY'),
    keyPassword: read.text('APPLE_WALLET_KEY_PASSWORD'),
    wwdrFile: read.file('APPLE_WALLET_WWDR'),
    passType: read.matching('APPLE_WALLET_PASS_TYPE', /^pass\.[\w.-]+$/, identifier),
    team: read.matching('APPLE_WALLET_TEAM', /^[A-Z0-9]{10}$/, 'a team id of ten letters and digits'),
  };
}

export type AppleWalletSettings = NonNullable<ReturnType<typeof readAppleWallet>>;

function readGoogleWallet(read: Reader) {
  if (!read.hasAll(['GOOGLE_WALLET_SERVICE_ACCOUNT', 'GOOGLE_WALLET_ISSUER'])) return undefined;
  return {
    serviceAccountFile: read.file('GOOGLE_WALLET_SERVICE_ACCOUNT'),
    issuer: read.matching('GOOGLE_WALLET_ISSUER', /^\d{1,30}$/, 'the number of an issuer account'),
  };
}

export type GoogleWalletSettings = NonNullable<ReturnType<typeof readGoogleWallet>>;

/** Returns undefined for 0, which switches it off. */
const readOptionalPort = (read: Reader, name: string) => read.integer(name, 0, 0, 65_535) || undefined;

function readPairs(read: Reader, name: string): Readonly<Record<string, string>> {
  const pairs = parsePairs(read.text(name) ?? '');
  if (pairs === false) read.fail(name, 'a list such as key=value,other=value');
  return pairs || {};
}

/** Reads the standard settings of OpenTelemetry. A setting that would silently change nothing is a problem. */
function readTracing(read: Reader): TracingSettings | undefined {
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  read.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'], 'http/protobuf');
  const ratio = read.text('OTEL_TRACES_SAMPLER_ARG', '1');
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(ratio)) read.fail('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1');
  const settings = {
    headers: readPairs(read, 'OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: read.text('OTEL_SERVICE_NAME', 'transit-benefits'),
    resourceAttributes: readPairs(read, 'OTEL_RESOURCE_ATTRIBUTES'),
    sampler: read.oneOf('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on'),
    samplerRatio: Number(ratio),
  };
  return endpoint === undefined ? undefined : { endpoint, ...settings };
}

function readWebhookAllowPrivate(read: Reader, environment: Environment): boolean {
  const isAllowed = read.oneOf('WEBHOOK_ALLOW_PRIVATE', ['on', 'off'], 'off') === 'on';
  if (isAllowed && environment === 'production')
    read.problems.push('WEBHOOK_ALLOW_PRIVATE=on is not allowed in production.');
  return isAllowed;
}

/** Returns the origin that replaces that of an HR system. Production must not send credentials anywhere else. */
function readOrigin(read: Reader, name: string, environment: Environment): string | undefined {
  const url = read.url(name, ['http:', 'https:']);
  if (url === undefined) return undefined;
  if (environment === 'production') read.problems.push(`${name} is allowed on staging only. Remove it.`);
  const { origin, href } = new URL(url);
  if (href !== `${origin}/`)
    read.problems.push(`${name} must be an origin without path, such as http://127.0.0.1:9100.`);
  return origin;
}

const isLoopback = ({ hostname }: URL) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Returns the mail server. Production encrypts, since mails give access, unless the URL says otherwise. */
function readSmtp(read: Reader, environment: Environment) {
  if (!read.hasAll(['SMTP_URL', 'MAIL_FROM'])) return undefined;
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  const from = read.matching(
    'MAIL_FROM',
    /^([^<>@"\\\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    'an address such as "Transit benefits <benefits@example.com>"',
  );
  if (url === undefined) return undefined;
  const parsed = new URL(url);
  const asked = parsed.searchParams.get('requireTLS');
  return {
    url,
    from,
    requireTls: asked === null ? environment === 'production' && !isLoopback(parsed) : asked === 'true',
  };
}

/** Returns the addresses that staging may write to. Undefined: not given. Production writes to everybody. */
function readMailAllow(read: Reader, environment: Environment): readonly string[] | undefined {
  const text = read.text('MAIL_ALLOW');
  if (text === undefined) return undefined;
  if (environment === 'production') read.problems.push('MAIL_ALLOW is allowed on staging only. Remove it.');
  const list = parseMailAllow(text);
  if (list === undefined)
    read.fail('MAIL_ALLOW', `up to ${maxAllowed} addresses or domains, such as ada@example.com,*@example.com`);
  return list;
}

export type SmtpSettings = NonNullable<ReturnType<typeof readSmtp>>;

/** Returns who may move the clock of a staging environment. Undefined: the portal too, while there is a single company. */
const readTimeTravel = (read: Reader) =>
  read.text('TIME_TRAVEL') === undefined ? undefined : read.oneOf('TIME_TRAVEL', ['portal', 'operator'], 'operator');

/** Reads every setting. docs/operate/configure.md says what each means. */
function readValues(read: Reader) {
  const environment = read.oneOf('ENVIRONMENT', environments, 'staging');
  const port = read.integer('PORT', 3000, 0, 65_535);
  const dataDir = resolve(read.text('DATA_DIR', './data'));
  const demo = read.oneOf('DEMO', ['on', 'off'], environment === 'staging' ? 'on' : 'off') === 'on';
  if (demo && environment === 'production') read.problems.push('DEMO=on is not allowed in production.');
  const publicUrl = readPublicUrl(read, environment, port);
  return {
    environment,
    host: read.text('HOST', '127.0.0.1'),
    port,
    /** Has no trailing slash. Every link is built from it, never from the `Host` header. */
    publicUrl,
    otherUrl: readOtherUrl(read, environment, publicUrl),
    /** Undefined: the embedded PostgreSQL in `dataDir`. */
    databaseUrl: readDatabaseUrl(read, environment),
    /** The connection that migrates an external database. Undefined: `databaseUrl` does, if its role may. */
    databaseOwnerUrl: readDatabaseOwnerUrl(read),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, 1, 500),
    dataDir,
    /** Where exports wait for clients that read slowly. */
    spoolFolder: resolve(dataDir, 'spool'),
    demo,
    portal: read.oneOf('PORTAL', ['on', 'off'], 'on') === 'on',
    mcp: read.oneOf('MCP', ['on', 'off'], environment === 'staging' ? 'on' : 'off') === 'on',
    rateLimits: readRateLimits(read),
    /** How many dry runs, and how many exports, of one key or user one process works on at the same time. 0: no limit. */
    heavyRequestsPerKey: read.integer('HEAVY_REQUESTS_PER_KEY', 2, 0, 1_000),
    /** Undefined: the client address is that of the connection. */
    trustProxy: readTrustProxy(read),
    overloadDelayMillis: read.integer('OVERLOAD_DELAY_MS', 3_000, 10, 60_000),
    overloadQueue: read.integer('OVERLOAD_QUEUE', 100, 1, 1_000_000),
    pageCacheBytes: read.integer('PAGE_CACHE_MB', 64, 0, 65_536) * 1024 * 1024,
    stopDrainMillis: read.integer('STOP_DRAIN_MS', 500, 0, 5_000),
    stopDelayMillis: read.integer('STOP_DELAY_MS', 0, 0, 60_000),
    stopTimeoutMillis: read.integer('STOP_TIMEOUT_MS', 9_000, 1_000, 600_000),
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
    secret: readSecret(read, environment),
    /** The SECRET before a rotation. It only decrypts stored secrets. */
    secretPrevious: readSecretPrevious(read),
    sessionLifetimeDays: read.integer('SESSION_LIFETIME_DAYS', 30, 1, 365),
    /** A folder or an `s3://bucket/prefix` URL. */
    documentStore: read.text('DOCUMENT_STORE', resolve(dataDir, 'documents')),
    metricsPort: readOptionalPort(read, 'METRICS_PORT'),
    /** That of a worker of its own, which may share a machine and its settings with the API. */
    workerMetricsPort: readOptionalPort(read, 'WORKER_METRICS_PORT'),
    metricsHost: read.text('METRICS_HOST', '127.0.0.1'),
    tracing: readTracing(read),
    /** Whether this process also works on jobs, besides serving the API. */
    worker: read.oneOf('WORKER', ['on', 'off'], 'on') === 'on',
    providerOrigins: {
      personio: readOrigin(read, 'PERSONIO_URL', environment),
      hibob: readOrigin(read, 'HIBOB_URL', environment),
      bamboohr: readOrigin(read, 'BAMBOOHR_URL', environment),
    },
    smtp: readSmtp(read, environment),
    mailAllow: readMailAllow(read, environment),
    /** How many mails to employees all workers together send. Links for access do not wait. */
    mailRatePerMinute: read.integer('MAIL_RATE_PER_MINUTE', 600, 1, 100_000),
    timeTravel: readTimeTravel(read),
    maxSyncBytes: read.integer('MAX_SYNC_BYTES', 128 * 1024 * 1024, 1024, 1024 * 1024 * 1024),
    maxSyncEntries: read.integer('MAX_SYNC_ENTRIES', 250_000, 1, 10_000_000),
    /** The DNS servers that are asked for the records by which companies prove domains. Undefined: those of this machine. */
    dnsServers: readDnsServers(read),
    webhookAllowPrivate: readWebhookAllowPrivate(read, environment),
    appleWallet: readAppleWallet(read),
    googleWallet: readGoogleWallet(read),
  };
}

export type Config = Readonly<ReturnType<typeof readValues>>;

export interface Settings {
  /** Valid only if there are no problems. */
  readonly config: Config;
  readonly effective: readonly EffectiveSetting[];
  readonly problems: readonly string[];
  /** Names in `.env` that are not settings. They have no effect, but probably should have one. */
  readonly warnings: readonly string[];
}

/** Reads and validates every setting once. `dotEnv`: the names that come from the file `.env`. */
export function readSettings(env: Env, dotEnv?: readonly string[]): Settings {
  const read = createReader(env, dotEnv);
  return {
    config: Object.freeze(readValues(read)),
    effective: read.listEffective(),
    problems: read.problems,
    warnings: read.listUnknown(),
  };
}

export function takeConfig({ config, problems }: Settings): Config {
  if (problems.length > 0) throw new OperatorError(problems.join(' '));
  return config;
}

export const readConfig = (env: Env): Config => takeConfig(readSettings(env));
