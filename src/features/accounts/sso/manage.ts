import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { sql } from 'kysely';
import { createMessage } from '../../../domain/messages/message.ts';
import type { Config } from '../../../platform/config/config.ts';
import { asCompanyId, type CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { ApiError, invalidValue } from '../../../platform/http/errors.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import type { CompanyContext } from '../../context.ts';
import { deleteConnection, findConnection } from './connection.ts';
import { redirectUriOf } from './provider.ts';

/** Returns the connection of a company, its domains, and how to prove them. */
export async function showSso({ config, db, companyId }: Pick<CompanyContext, 'config' | 'db' | 'companyId'>) {
  const domains = await listDomains(db, companyId);
  return {
    connection: (await findConnection(db, companyId)) ?? null,
    domains: domains.map(({ domain, isProven, token }) => ({
      ...{ domain, isProven },
      ...{ recordName: recordNameOf(domain), recordValue: token },
    })),
    redirectUri: redirectUriOf(config, companyId),
  };
}

/** Returns a domain as it is stored. Throws if this is not the name of one. */
export function readDomain(text: string): string {
  const domain = parseDomain(text);
  if (domain === undefined) throw invalidValue('/domain', 'not-allowed', createMessage('sso-domain'));
  return domain;
}

/** Records the operator's word that a domain belongs to a company. */
export async function addProvenDomain({ companyId, by, write }: CompanyContext, { domain: text }: { domain: string }) {
  const domain = readDomain(text);
  return write(async (tx) => {
    await insertDomain(tx, companyId, domain);
    if (await proveDomain(tx, companyId, domain, by)) return { domain };
    throw new ApiError('invalid-body', `Another company has proven ${domain}: remove it there first.`);
  });
}

/** Removes the connection. Its users sign in with passwords again. */
export const removeSso = async ({ companyId, by, write }: CompanyContext) => ({
  removed: await write((tx) => deleteConnection(tx, companyId, by)),
});

/** The name of the TXT record below the domain. */
export const recordNameOf = (domain: string) => `_transit-benefits.${domain}`;

interface SsoDomain {
  domain: string;
  isProven: boolean;
  token: string;
}

/** Returns a domain as it is compared, or undefined if this is not the name of one. */
export function parseDomain(text: string): string | undefined {
  const domain = text.trim().toLowerCase().replace(/\.$/, '');
  return /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(domain)
    ? domain
    : undefined;
}

export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

export async function listDomains(db: Db | Tx, companyId: CompanyId): Promise<SsoDomain[]> {
  const rows = await db
    .selectFrom('sso_domains')
    .select(['domain', 'token', 'proven_at'])
    .where('company_id', '=', companyId)
    .orderBy('domain')
    .execute();
  return rows.map(({ domain, token, proven_at }) => ({ domain, token, isProven: proven_at !== null }));
}

/** Returns the company that has proven the domain of an address. */
export async function findCompanyOfDomain(db: Db, domain: string): Promise<CompanyId | undefined> {
  const row = await db
    .selectFrom('sso_domains')
    .select('company_id')
    .where('domain', '=', domain)
    .where('proven_at', 'is not', null)
    .executeTakeFirst();
  return row && asCompanyId(row.company_id);
}

/** Returns whether a company has proven the domain of an address and still has this identity provider. */
export async function vouchesFor(
  db: Db,
  companyId: CompanyId,
  { issuer, email }: { issuer: string | null; email: string },
): Promise<boolean> {
  const connection = await findConnection(db, companyId);
  return connection?.issuer === issuer && (await findCompanyOfDomain(db, domainOf(email))) === companyId;
}

export async function insertDomain(tx: Tx, companyId: CompanyId, domain: string): Promise<void> {
  await tx
    .insertInto('sso_domains')
    .values({ domain, company_id: companyId, token: `transit-benefits=${randomBytes(20).toString('base64url')}` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const record = (tx: Tx, companyId: CompanyId, action: string, { domain, by }: { domain: string; by: By }) =>
  insertAudit(tx, companyId, { action, target: String(companyId), detail: { domain }, ...by });

export async function deleteDomain(tx: Tx, companyId: CompanyId, domain: string, by: By): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sso_domains')
    .where('company_id', '=', companyId)
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await record(tx, companyId, 'sso.remove-domain', { domain, by });
  return true;
}

/**
 * Stores that the domain belongs to the company, which must have claimed it. Returns false if another company has proven
 * it before: then the operator decides.
 */
export async function proveDomain(tx: Tx, companyId: CompanyId, domain: string, by: By): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sso domain ${domain}`}, 0))`.execute(tx);
  const now = Temporal.Now.instant().toString();
  const { rows } = await sql`
    update sso_domains d set proven_at = coalesce(d.proven_at, ${now}::timestamptz)
    where d.company_id = ${companyId} and d.domain = ${domain} and not exists (
      select from sso_domains o where o.domain = ${domain} and o.company_id <> ${companyId} and o.proven_at is not null)
    returning d.domain`.execute(tx);
  if (rows.length === 0) return false;
  await record(tx, companyId, 'sso.prove-domain', { domain, by });
  return true;
}

/** A user waits for the response. After this time, the next server is asked, and in the end the first ones again. */
const dnsTimeoutMillis = 2_000;

/**
 * Returns whether the domain has the TXT record of the company. A name that does not exist has none, and a server that
 * does not respond shows none: the user tries again. `dnsServers`: undefined for the servers of this machine.
 */
export async function hasRecord(
  { domain, token }: Omit<SsoDomain, 'isProven'>,
  { dnsServers }: Pick<Config, 'dnsServers'>,
): Promise<boolean> {
  const resolver = new Resolver({ timeout: dnsTimeoutMillis, tries: 2 });
  if (dnsServers !== undefined) resolver.setServers(dnsServers);
  const records = await resolver.resolveTxt(recordNameOf(domain)).catch((): string[][] => []);
  // A record of several strings is one text.
  return records.some((strings) => strings.join('') === token);
}
