import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Environment } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Listen } from '../../platform/db/listen.ts';
import type { Principal } from '../caller.ts';
import { accessChanges } from '../companies/companies.ts';
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

/**
 * How long a verified key is trusted without another check if announcements of changes may be missing. A revocation must
 * take effect everywhere within one second.
 */
const trustMillis = 500;
/** A key in use is checked again before its trust expires, so that none of its requests has to wait for the check. */
const renewAfterMillis = 250;
/** While notifications of changes arrive, a check only finds what was changed in the database by hand. */
const longTrustMillis = 60_000;
const renewLongTrustAfterMillis = 30_000;
/** Longer silence may hide a change. Together with the request itself it stays below one second. */
const silenceMillis = 900;
const rememberedKeys = 10_000;
/** Keys that were first used at the same moment are renewed in turn, so that their checks do not hold up requests. */
const maxRenewals = 20;
const usedEveryMillis = 60_000;

/** Looked up if no username is given, so that the same work is done. */
const absentName: KeyName = { companyId: asCompanyId(0), keyId: '0000000000000000' };
const absentCredentials: Credentials = { username: '', password: '' };

const millisOf = (timestamp: string | null) =>
  timestamp === null ? Number.POSITIVE_INFINITY : Temporal.Instant.from(timestamp).epochMilliseconds;

/** Returns when the key expires for the given password, in milliseconds since 1970. */
function endOf(row: KeyRow, given: Buffer): number {
  if (row.revoked_at !== null) return Number.NEGATIVE_INFINITY;
  const isCurrent = sameHash(given, row.secret_hash);
  return Math.min(millisOf(row.expires_at), isCurrent ? Number.POSITIVE_INFINITY : millisOf(row.previous_valid_until));
}

export interface AuthenticatorOptions {
  db: Db;
  environment: Environment;
  listen: Listen;
  onError: (error: unknown) => void;
}

interface ValidKey {
  principal: Principal;
  name: KeyName;
  /** When the key or its old password expires, in milliseconds since 1970. */
  endsAt: number;
  /** When its use was last recorded, in milliseconds since 1970. */
  usedAt: number;
}

interface Trust extends ValidKey {
  /** When the check began. The check may have missed changes made since then. */
  since: number;
  /** A change was announced during the check, which may have missed it. */
  isDoubtful: boolean;
  isRenewed: boolean;
}

/**
 * Caches only valid credentials, by their hash. An unknown username and a wrong password both cost one lookup that
 * finds nothing every time, so response times do not distinguish them. Each request without a cached result does its
 * own lookup: `shedLoad` counts waiting statements and would not see requests that wait for the lookup of another.
 *
 * A key is trusted until a change of its company's keys or settings is announced (docs/decisions/0033). Whenever
 * announcements may have been lost, it is trusted for half a second.
 */
export function createAuthenticator({ db, environment, listen, onError }: AuthenticatorOptions) {
  const trusted = new LRUCache<string, Trust>({ max: rememberedKeys });
  /** Uses are recorded one after the other: with a connection each, hundreds of keys would hold up requests. */
  const recording = pLimit(1);
  let lastChange = Number.NEGATIVE_INFINITY;
  let renewals = 0;

  const changes = listen({
    channel: accessChanges,
    onMessage: (companyId) => {
      lastChange = performance.now();
      for (const [digest, { principal }] of trusted) {
        if (String(principal.companyId) === companyId) trusted.delete(digest);
      }
    },
  });

  function recordUse(key: ValidKey): void {
    const now = Date.now();
    if (now - key.usedAt < usedEveryMillis) return;
    key.usedAt = now;
    recording(() => markKeyUsed(db, key.name, Temporal.Instant.fromEpochMilliseconds(now)).catch(onError));
  }

  async function find(header: string | undefined): Promise<ValidKey | undefined> {
    const credentials = parseBasicHeader(header) ?? absentCredentials;
    const name = parseUsername(credentials.username) ?? absentName;
    const given = hashPassword(credentials.password);
    const row = await findKey(db, name, given);
    if (row === undefined || !belongsTo(environment, credentials.password)) return undefined;
    const endsAt = endOf(row, given);
    if (endsAt <= Date.now()) return undefined;
    const principal: Principal = {
      companyId: name.companyId,
      keyId: name.keyId,
      keyName: row.name,
      permissions: new Set(row.permissions),
      company: { name: row.company_name, locale: row.locale, currency: row.currency, timeZone: row.time_zone },
    };
    const usedAt = row.last_used_at === null ? Number.NEGATIVE_INFINITY : millisOf(row.last_used_at);
    return { principal, name, endsAt, usedAt };
  }

  async function check(digest: string, header: string | undefined): Promise<Principal | undefined> {
    const since = performance.now();
    const key = await find(header);
    trusted.delete(digest);
    if (key === undefined) return undefined;
    recordUse(key);
    trusted.set(digest, { ...key, since, isDoubtful: lastChange >= since, isRenewed: false });
    return key.principal;
  }

  /** If this fails, the trust expires on time, and the next request reports the failure. */
  function renew(digest: string, header: string | undefined): void {
    renewals += 1;
    check(digest, header)
      .catch(() => {})
      .finally(() => {
        renewals -= 1;
      });
  }

  /** Returns the caller if the key is trusted at this moment. Renews its trust before that expires. */
  function findTrusted(digest: string, header: string | undefined): Principal | undefined {
    const known = trusted.get(digest);
    if (known === undefined || known.endsAt <= Date.now()) return undefined;
    const age = performance.now() - known.since;
    // A process that serves a few requests needs no connection for changes.
    if (age >= renewAfterMillis) changes.start();
    const isHeard = !known.isDoubtful && changes.hasHeardAllSince(known.since, silenceMillis);
    if (age >= (isHeard ? longTrustMillis : trustMillis)) return undefined;
    const isDue = age >= (isHeard ? renewLongTrustAfterMillis : renewAfterMillis);
    if (isDue && !known.isRenewed && renewals < maxRenewals) {
      known.isRenewed = true;
      renew(digest, header);
    }
    recordUse(known);
    return known.principal;
  }

  let last = { header: '', digest: '' };
  /** Each request asks several times in a row, with the same header. */
  function digestOf(header = ''): string {
    if (header !== last.header) last = { header, digest: hash('sha256', header, 'base64') };
    return last.digest;
  }

  return {
    /** Returns the caller if the key is trusted at this moment. */
    findTrusted: (header: string | undefined) => findTrusted(digestOf(header), header),
    /** Looks the key up. Returns undefined if the credentials are not valid. */
    authenticate: (header: string | undefined): Promise<Principal | undefined> => check(digestOf(header), header),
    /** Returns the company of a key that was valid when it was last used, for decisions that need no certainty. */
    findCompany: (header: string | undefined): CompanyId | undefined =>
      header === undefined ? undefined : trusted.peek(digestOf(header))?.principal.companyId,
    /** Drops the uses that wait: each is only the time of a last use. */
    async stop(): Promise<void> {
      recording.clearQueue();
      await Promise.all([changes.stop(), recording(async () => {})]);
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;
