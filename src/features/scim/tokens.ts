import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Environment, HrIdAttribute } from '../../domain/enums.ts';
import { createSecret, formatToken, hashSecret, parseToken } from '../../platform/crypto/company-token.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import { type Integration, lockIntegration, ofIntegration } from '../companies/companies.ts';
import { recordingCaseOf } from '../connectors/cases/cases.ts';
import type { CompanyContext } from '../context.ts';
import { getIntegration } from '../integrations/change-integration.ts';
import type { ScimToken } from './contract.ts';

/**
 * A token names its environment and company, so that it is recognised and found: `tbs_<environment>_<company>.<secret>`.
 * The secret has 256 random bits. Only its hash is stored.
 */
const prefixOf = (environment: Environment) => `tbs_${environment}_`;

export interface ScimCaller extends Integration {
  hrIdAttribute: HrIdAttribute;
  timeZone: string;
  isActive: boolean;
  /** The case that records its requests. */
  caseId: number | null;
}

interface TokenRow {
  hrIntegrationId: number;
  hash: Buffer;
  previousHash: Buffer | null;
  hrIdAttribute: HrIdAttribute;
  timeZone: string;
  status: string;
  lastUsedAt: string | null;
  caseId: number | null;
}

const usedEveryMillis = 60_000;
/** How long a token works after it was replaced, as passwords of API keys do. */
const overlapHours = 24;

/** Returns the integration of a bearer token. Compares with every token of the company in constant time. */
export async function findScimCaller(
  db: Db,
  environment: Environment,
  authorization: string | undefined,
): Promise<ScimCaller | undefined> {
  const [, given = ''] = /^Bearer +(\S{1,200}) *$/i.exec(authorization ?? '') ?? [];
  const prefix = prefixOf(environment);
  const token = given.startsWith(prefix) ? parseToken(given.slice(prefix.length)) : undefined;
  if (token === undefined) return undefined;
  const { companyId, secret } = token;
  const { rows } = await sql<TokenRow>`
    select c.hr_integration_id as "hrIntegrationId", c.token_hash as hash,
      case when c.previous_token_until > now() then c.previous_token_hash end as "previousHash", c.hr_id_attribute as "hrIdAttribute",
      o.time_zone as "timeZone", i.status, c.last_used_at as "lastUsedAt",
      ${recordingCaseOf(companyId)} as "caseId"
    from scim_connections c
    join hr_integrations i on ${ofCompany(companyId, 'i')} and i.id = c.hr_integration_id
    join companies o on o.id = c.company_id
    where ${ofCompany(companyId, 'c')} and c.token_hash is not null and i.deleted_at is null`.execute(db);
  const hash = hashSecret(secret);
  const isHash = (stored: Buffer | null) => stored !== null && timingSafeEqual(stored, hash);
  const [found] = rows.filter((row) => [isHash(row.hash), isHash(row.previousHash)].includes(true));
  if (found === undefined) return undefined;
  const { hrIntegrationId, hrIdAttribute, timeZone, status, lastUsedAt, caseId } = found;
  const target = { companyId, hrIntegrationId };
  const now = Temporal.Now.instant();
  if (lastUsedAt === null || now.epochMilliseconds - Date.parse(lastUsedAt) > usedEveryMillis) {
    await sql`update scim_connections c set last_used_at = ${now.toString()}::timestamptz
      where ${ofIntegration(target, 'c')}`.execute(db);
  }
  return { ...target, hrIdAttribute, timeZone, isActive: status !== 'inactive', caseId };
}

/** Throws unless an identity provider may be connected: an HR system that is pulled has its own roster. */
async function assertPushed(db: Db, companyId: CompanyId, id: number): Promise<void> {
  const { type } = await getIntegration(db, companyId, id);
  if (type === 'api-integration') return;
  const detail =
    'This integration pulls its roster from an HR system. Create an integration of type api-integration for SCIM.';
  throw new ApiError('sync-not-possible', detail);
}

/** Creates the token of an integration. An earlier one works for another 24 hours. Only the response shows the new one. */
export const createScimToken = (context: CompanyContext, { id }: { id: number }): Promise<ScimToken> => {
  const { companyId, by, config } = context;
  const target = { companyId, hrIntegrationId: id };
  const secret = createSecret();
  return context.write(async (tx) => {
    await lockIntegration(tx, target);
    await assertPushed(tx, companyId, id);
    const at = by.at.toString();
    const until = Temporal.Now.instant().add({ hours: overlapHours }).toString();
    await sql`
      insert into scim_connections (company_id, hr_integration_id, token_hash, token_created_at)
      values (${companyId}, ${id}, ${hashSecret(secret)}, ${at}::timestamptz)
      on conflict (company_id, hr_integration_id) do update set token_hash = excluded.token_hash,
        previous_token_hash = scim_connections.token_hash, previous_token_until = ${until}::timestamptz,
        token_created_at = excluded.token_created_at, last_used_at = null`.execute(tx);
    await insertAudit(tx, companyId, { action: 'integration.create-scim-token', target: String(id), ...by });
    const token = `${prefixOf(config.environment)}${formatToken({ companyId, secret })}`;
    return { url: scimUrl(config.publicUrl), token };
  });
};

export const scimUrl = (publicUrl: string) => `${publicUrl}/scim/v2`;

/** Ends the token, and the one before it. What was accepted by then is still applied. */
export const revokeScimToken = (context: CompanyContext, { id }: { id: number }): Promise<{ id: number }> => {
  const { companyId, by } = context;
  const target = { companyId, hrIntegrationId: id };
  return context.write(async (tx) => {
    await lockIntegration(tx, target);
    await getIntegration(tx, companyId, id);
    const { rows } = await sql`update scim_connections c set token_hash = null, previous_token_hash = null
      where ${ofIntegration(target, 'c')} and c.token_hash is not null returning c.hr_integration_id`.execute(tx);
    if (rows.length > 0)
      await insertAudit(tx, companyId, { action: 'integration.revoke-scim-token', target: String(id), ...by });
    return { id };
  });
};
