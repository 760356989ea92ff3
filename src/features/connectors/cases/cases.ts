import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sql } from 'kysely';
import type { CaseKind } from '../../../domain/enums.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import { ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { ApiError, notFound } from '../../../platform/http/errors.ts';
import { presentTimestamp } from '../../../platform/http/view.ts';
import { insertAudit } from '../../activity/record.ts';
import { type Integration, lockIntegration, ofIntegration } from '../../companies/companies.ts';
import type { CompanyContext } from '../../context.ts';
import { getIntegration } from '../../integrations/change-integration.ts';
import { findConnectorRow } from '../pull/store.ts';
import type { CaseExchange, IntegrationCase, PullCase, ScimCase } from './contract.ts';
import { createPseudonyms } from './pseudonyms.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const pack = (value: unknown): Promise<Buffer> => compress(JSON.stringify(value));
const unpack = async (bytes: Buffer): Promise<CaseExchange> => JSON.parse((await decompress(bytes)).toString());

/** How long a case waits for the next pull, and records requests of SCIM. */
const waitHours = { pull: 48, scim: 1 } as const;
/** A case of SCIM ends with this many requests. */
export const maxScimExchanges = 200;
/** How long cases are kept. */
export const caseDays = 14;

interface CaseRow {
  id: number;
  kind: CaseKind;
  requestedBy: string;
  requestedAt: string;
  endsAt: string;
  erasedAt: string;
  exchanges: number;
  hasContent: boolean;
}

const columns = sql`k.id, k.kind, k.requested_by as "requestedBy", k.requested_at as "requestedAt",
  k.ends_at as "endsAt", k.erased_at as "erasedAt", k.exchanges, k.content is not null as "hasContent"`;

const present = (row: CaseRow): IntegrationCase => ({
  id: row.id,
  kind: row.kind,
  requestedBy: row.requestedBy,
  requestedAt: presentTimestamp(row.requestedAt),
  isRecording:
    Date.parse(row.endsAt) > Date.now() && !row.hasContent && (row.kind === 'pull' || row.exchanges < maxScimExchanges),
  endsAt: presentTimestamp(row.endsAt),
  exchanges: row.exchanges,
  isReady: row.hasContent || (row.kind === 'scim' && row.exchanges > 0),
  erasedAt: presentTimestamp(row.erasedAt),
});

async function listRows(db: Db, target: Integration): Promise<CaseRow[]> {
  const { rows } = await sql<CaseRow>`select ${columns} from integration_cases k
    where ${ofIntegration(target, 'k')} order by k.id desc limit 20`.execute(db);
  return rows;
}

/** Returns the cases of an integration that were not erased, the newest first. */
export async function listCases(
  { db, companyId }: Pick<CompanyContext, 'db' | 'companyId'>,
  { id }: { id: number },
): Promise<IntegrationCase[]> {
  await getIntegration(db, companyId, id);
  const rows = await listRows(db, { companyId, hrIntegrationId: id });
  return rows.map(present);
}

/** Throws unless the integration has requests that a case could contain. */
async function assertRecordable(tx: Tx, target: Integration): Promise<CaseKind> {
  const { type } = await getIntegration(tx, target.companyId, target.hrIntegrationId);
  if (type === 'api-integration') return 'scim';
  const connector = await findConnectorRow(tx, target);
  if (connector !== undefined && connector.provider !== 'sftp-csv') return 'pull';
  throw new ApiError('sync-not-possible', 'A case has requests. Connect an HR system that has an API first.');
}

/** Saves the next pull, or the next requests of the identity provider, as a case. */
export function requestCase(context: CompanyContext, { id }: { id: number }): Promise<IntegrationCase> {
  const { companyId, by, write } = context;
  const target = { companyId, hrIntegrationId: id };
  return write(async (tx) => {
    await lockIntegration(tx, target);
    const kind = await assertRecordable(tx, target);
    const open = (await listRows(tx, target)).map(present).find(({ isRecording }) => isRecording);
    if (open !== undefined) return open;
    const now = Temporal.Now.instant();
    const { rows } = await sql<CaseRow>`
      insert into integration_cases as k (company_id, hr_integration_id, kind, requested_by, requested_at, ends_at,
        erased_at, pseudonym_key)
      values (${companyId}, ${id}, ${kind}, ${by.name}, ${now.toString()}::timestamptz,
        ${now.add({ hours: waitHours[kind] }).toString()}::timestamptz,
        ${now.add({ hours: caseDays * 24 }).toString()}::timestamptz,
        ${kind === 'scim' ? Buffer.from(crypto.getRandomValues(new Uint8Array(32))) : null})
      returning ${columns}`.execute(tx);
    await insertAudit(tx, companyId, { action: 'integration.request-case', target: String(id), ...by });
    return present(rows[0] as CaseRow);
  });
}

/** Ends a case, and erases it. */
export function deleteCase(context: CompanyContext, { id, caseId }: { id: number; caseId: number }): Promise<void> {
  const { companyId, by, write } = context;
  const target = { companyId, hrIntegrationId: id };
  return write(async (tx) => {
    const { rows } = await sql`delete from integration_cases k
      where ${ofIntegration(target, 'k')} and k.id = ${caseId} returning k.id`.execute(tx);
    if (rows.length === 0) throw notFound('case');
    await insertAudit(tx, companyId, { action: 'integration.delete-case', target: String(id), ...by });
  });
}

/** Returns the case that waits for a pull of the integration. */
export async function findRequestedCase(db: Db, target: Integration): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select k.id from integration_cases k where ${ofIntegration(target, 'k')}
    and k.kind = 'pull' and k.content is null and k.ends_at > now() order by k.id limit 1`.execute(db);
  return rows[0]?.id;
}

export const savePullCase = async (
  db: Db,
  { companyId }: Integration,
  id: number,
  content: PullCase,
): Promise<void> => {
  const packed = await pack(content);
  await sql`update integration_cases k set content = ${packed}, exchanges = ${content.exchanges.length}
    where ${ofCompany(companyId, 'k')} and k.id = ${id}`.execute(db);
};

/** The case that records the requests of a connection `c` by SCIM. */
export const recordingCaseOf = (companyId: CompanyId) => sql<number | null>`
  (select min(k.id) from integration_cases k where ${ofCompany(companyId, 'k')}
    and k.hr_integration_id = c.hr_integration_id and k.kind = 'scim' and k.ends_at > now()
    and k.exchanges < ${maxScimExchanges})`;

/** Adds a request of SCIM to its case, unless the case has ended. */
export async function addScimExchange(db: Db, companyId: CompanyId, id: number, exchange: CaseExchange): Promise<void> {
  const packed = await pack(exchange);
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ number: number }>`
      update integration_cases k set exchanges = k.exchanges + 1 where ${ofCompany(companyId, 'k')} and k.id = ${id}
        and k.exchanges < ${maxScimExchanges} and k.ends_at > now() returning k.exchanges as number`.execute(tx);
    for (const { number } of rows) {
      await sql`insert into integration_case_exchanges (company_id, case_id, number, content)
        values (${companyId}, ${id}, ${number}, ${packed})`.execute(tx);
    }
  });
}

export async function findPseudonymKey(db: Db, companyId: CompanyId, id: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ key: Buffer | null }>`select k.pseudonym_key as key from integration_cases k
    where ${ofCompany(companyId, 'k')} and k.id = ${id}`.execute(db);
  return rows[0]?.key ?? undefined;
}

/** Returns the file of a case. That of SCIM also while it is recorded. */
export async function readCaseFile(
  { db, companyId }: Pick<CompanyContext, 'db' | 'companyId'>,
  { id, caseId }: { id: number; caseId: number },
): Promise<Buffer> {
  const target = { companyId, hrIntegrationId: id };
  const { rows } = await sql<{ kind: string; content: Buffer | null; key: Buffer | null; count: number }>`
    select k.kind, k.content, k.pseudonym_key as key, k.exchanges as count from integration_cases k
    where ${ofIntegration(target, 'k')} and k.id = ${caseId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw notFound('case');
  if (row.content !== null) return decompress(row.content);
  if (row.count === 0 || row.key === null) {
    throw new ApiError('sync-not-possible', 'The case contains nothing yet. Wait for the next run.');
  }
  const { rows: settings } = await sql<{ attribute: ScimCase['hrIdAttribute']; timeZone: string }>`
    select c.hr_id_attribute as attribute, o.time_zone as "timeZone" from scim_connections c
    join companies o on o.id = c.company_id where ${ofIntegration(target, 'c')}`.execute(db);
  const { rows: parts } = await sql<{ content: Buffer }>`select x.content from integration_case_exchanges x
    where ${ofCompany(companyId, 'x')} and x.case_id = ${caseId} order by x.number`.execute(db);
  const timeZone = settings[0]?.timeZone ?? 'UTC';
  const pseudonyms = createPseudonyms({ key: row.key });
  const file: ScimCase = {
    format: 'transit-case',
    version: 1,
    kind: 'scim',
    timeZone,
    today: pseudonyms.date(Temporal.Now.plainDateISO(timeZone)).toString(),
    isComplete: row.count < maxScimExchanges,
    hrIdAttribute: settings[0]?.attribute ?? 'employeeNumber',
    exchanges: await Promise.all(parts.map(({ content }) => unpack(content))),
  };
  return Buffer.from(JSON.stringify(file));
}
