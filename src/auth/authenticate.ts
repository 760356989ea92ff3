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

/** Who is calling: one key of one company. */
export interface Principal {
  companyId: CompanyId;
  keyId: string;
  keyName: string;
  permissions: ReadonlySet<Permission>;
  company: { name: string; locale: string; currency: string; timeZone: string };
}

/** How long a checked key is trusted unseen. Revocation must hold everywhere within one second. */
const trustMillis = 500;
/** A key in use is checked again before its trust ends, so that none of its requests has to wait for that. */
const renewAfterMillis = 250;
const rememberedKeys = 10_000;

/** Looked up where no name is given, so that the same work is done. */
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
  /** When the check began: what was changed since then may have escaped it. */
  since: number;
  isRenewed: boolean;
}

/**
 * Only credentials that proved right are remembered, by their hash: an unknown username and a wrong password both cost
 * one look-up that finds nothing every time, so their answers cannot be told apart by the clock. Whoever finds no trust asks
 * for itself: requests that wait for the look-up of another would be seen by nobody who counts what waits (`shedLoad`).
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
      // Where this fails the trust ends in its time, and whoever comes then is told.
      check(digest, header).catch(() => {});
    }
    return known.principal;
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;
