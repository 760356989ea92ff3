import { hash } from 'node:crypto';
import type { CompanyId } from '../db/company-scope.ts';
import { asCompanyId } from '../db/company-scope.ts';
import type { Db } from '../db/database.ts';
import type { Environment, Permission } from '../domain/enums.ts';
import {
  belongsTo,
  type Credentials,
  hashPassword,
  type KeyName,
  parseBasicHeader,
  parseUsername,
  sameHash,
} from './credentials.ts';
import { findKey, type KeyRow, markKeyUsed } from './keys.ts';

/** The caller: one key of one company. */
export interface Principal {
  companyId: CompanyId;
  keyId: string;
  keyName: string;
  permissions: ReadonlySet<Permission>;
  company: { name: string; locale: string; currency: string; timeZone: string };
}

/**
 * How long a verified key is trusted without another check. A revocation must take effect everywhere within one second.
 */
const trustMillis = 500;
/** A key in use is checked again before its trust expires, so that none of its requests has to wait for the check. */
const renewAfterMillis = 250;
const rememberedKeys = 10_000;

/** Looked up if no username is given, so that the same work is done. */
const absentName: KeyName = { companyId: asCompanyId(0), keyId: '0000000000000000' };
const absentCredentials: Credentials = { username: '', password: '' };

const isPast = (timestamp: string | null, now: Temporal.Instant) =>
  timestamp !== null && Temporal.Instant.compare(Temporal.Instant.from(timestamp), now) <= 0;

function isValid(row: KeyRow, given: Buffer, now: Temporal.Instant): boolean {
  const isCurrent = sameHash(given, row.secret_hash) || !isPast(row.previous_valid_until, now);
  return isCurrent && row.revoked_at === null && !isPast(row.expires_at, now);
}

export interface AuthenticatorOptions {
  db: Db;
  environment: Environment;
  onError: (error: unknown) => void;
}

interface Trust {
  principal: Principal;
  /** When the check began. The check may have missed changes made since then. */
  since: number;
  isRenewed: boolean;
}

/**
 * Caches only valid credentials, by their hash. An unknown username and a wrong password both cost one lookup that
 * finds nothing every time, so response times do not distinguish them. Each request without a cached result does its
 * own lookup: `shedLoad` counts waiting statements and would not see requests that wait for the lookup of another.
 */
export function createAuthenticator({ db, environment, onError }: AuthenticatorOptions) {
  const trusted = new Map<string, Trust>();

  async function find(header: string | undefined): Promise<Principal | undefined> {
    const credentials = parseBasicHeader(header) ?? absentCredentials;
    const name = parseUsername(credentials.username) ?? absentName;
    const given = hashPassword(credentials.password);
    const row = await findKey(db, name, given);
    const now = Temporal.Now.instant();
    const isOurs = belongsTo(environment, credentials.password);
    if (row === undefined || !isOurs || !isValid(row, given, now)) return undefined;
    if (isPast(row.last_used_at, now.subtract({ minutes: 1 })) || row.last_used_at === null) {
      markKeyUsed(db, name, now).catch(onError);
    }
    return {
      companyId: name.companyId,
      keyId: name.keyId,
      keyName: row.name,
      permissions: new Set(row.permissions),
      company: { name: row.company_name, locale: row.locale, currency: row.currency, timeZone: row.time_zone },
    };
  }

  async function check(digest: string, header: string | undefined): Promise<Principal | undefined> {
    const since = performance.now();
    const principal = await find(header);
    trusted.delete(digest);
    if (principal === undefined) return undefined;
    const oldest = trusted.keys().next().value;
    if (trusted.size >= rememberedKeys && oldest !== undefined) trusted.delete(oldest);
    trusted.set(digest, { principal, since, isRenewed: false });
    return principal;
  }

  return async function authenticate(header: string | undefined): Promise<Principal | undefined> {
    const digest = hash('sha256', header ?? '', 'base64');
    const known = trusted.get(digest);
    const age = performance.now() - (known?.since ?? Number.NEGATIVE_INFINITY);
    if (known === undefined || age >= trustMillis) return check(digest, header);
    if (age >= renewAfterMillis && !known.isRenewed) {
      known.isRenewed = true;
      // If this fails, the trust expires on time, and the next request reports the failure.
      check(digest, header).catch(() => {});
    }
    return known.principal;
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;
