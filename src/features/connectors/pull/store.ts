import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Provider, PullKind } from '../../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { HrConnectorsTable, PullsTable } from '../../../platform/db/types.gen.ts';
import { type Integration, ofIntegration } from '../../companies/companies.ts';
import type { Mapping } from '../rules/mapping.ts';

export type ConnectorRow = Omit<Selectable<HrConnectorsTable>, 'company_id' | 'hr_integration_id' | 'mapping'> & {
  mapping: Mapping;
};

const connectorColumns = sql`c.provider, c.encrypted_credentials, c.mapping, c.mapping_version, c.nightly_time,
  c.pull_every, c.hint_token_hash, c.encrypted_hint_secret, c.hinted_at, c.next_pull_at, c.attempts, c.refused_at, c.failure_code, c.failure_reason, c.failure_message, c.last_people, c.memory, c.connected_at,
  c.updated_at`;

/** Returns how an integration pulls, or undefined if it is not connected. `lock`: until the transaction ends. */
export async function findConnectorRow(
  db: Db,
  target: Integration,
  { lock = false } = {},
): Promise<ConnectorRow | undefined> {
  const { rows } = await sql<ConnectorRow>`select ${connectorColumns} from hr_connectors c
    where ${ofIntegration(target, 'c')} ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}

/** Returns the connector to whose address a hint was sent. */
export async function findHintedConnector(db: Db, companyId: CompanyId, tokenHash: Buffer) {
  const { rows } = await sql<{
    hrIntegrationId: number;
    provider: Provider;
    tokenHash: Buffer;
    encryptedSecret: string | null;
  }>`select c.hr_integration_id as "hrIntegrationId", c.provider, c.hint_token_hash as "tokenHash",
      c.encrypted_hint_secret as "encryptedSecret"
    from hr_connectors c where ${ofCompany(companyId, 'c')} and c.hint_token_hash = ${tokenHash}`.execute(db);
  return rows[0];
}

export type PullRow = Omit<Selectable<PullsTable>, 'company_id' | 'hr_integration_id' | 'explanations'>;

const pullColumns = sql`p.id, p.kind, p.night, p.attempt, p.state, p.sync_id, p.requested_by, p.requested_by_user,
  p.mapping_version, p.pages_read, p.people_read, p.people_total, p.reason, p.message, p.preview, p.requested_at, p.started_at,
  p.finished_at`;

async function findOnePull(db: Db, target: Integration, rest: RawBuilder<unknown>): Promise<PullRow | undefined> {
  const { rows } = await sql<PullRow>`
    select ${pullColumns} from pulls p where ${ofIntegration(target, 'p')} ${rest} limit 1`.execute(db);
  return rows[0];
}

export const findOpenPull = (db: Db, target: Integration) =>
  findOnePull(db, target, sql`and p.state in ('waiting', 'reading') order by p.id`);

export const findPull = (db: Db, target: Integration, id: number) => findOnePull(db, target, sql`and p.id = ${id}`);

/** Returns the newest pull that may change the roster. */
export const findNewestRead = (db: Db, target: Integration) =>
  findOnePull(db, target, sql`and p.kind <> 'preview' order by p.id desc`);

export const findNewestPull = (db: Db, target: Integration) => findOnePull(db, target, sql`order by p.id desc`);

export interface NewPull {
  kind: PullKind;
  /** Only of a nightly pull. */
  night?: Temporal.PlainDate;
  attempt?: number;
  requestedBy: string;
  userId?: string;
  now: Temporal.Instant;
}

/** Returns the id of a sync that is not used yet: the time, in milliseconds. */
async function nameSync(tx: Tx, target: Integration, now: Temporal.Instant): Promise<string> {
  for (let time = now.round('millisecond'); ; time = time.add({ milliseconds: 1 })) {
    const syncId = `pull-${time.toString({ fractionalSecondDigits: 3 })}`;
    const { rows } = await sql`
      select 1 from pulls p where ${ofIntegration(target, 'p')} and p.sync_id = ${syncId}
      union all select 1 from syncs s where ${ofIntegration(target, 's')} and s.sync_id = ${syncId}`.execute(tx);
    if (rows.length === 0) return syncId;
  }
}

/** Inserts a pull, or returns undefined if the night has this attempt. The caller has locked the connector. */
export async function insertPull(tx: Tx, target: Integration, pull: NewPull): Promise<number | undefined> {
  const row = await tx
    .insertInto('pulls')
    .values({
      company_id: target.companyId,
      hr_integration_id: target.hrIntegrationId,
      kind: pull.kind,
      night: pull.night?.toString() ?? null,
      attempt: pull.attempt ?? 0,
      state: 'waiting',
      sync_id: await nameSync(tx, target, pull.now),
      requested_by: pull.requestedBy,
      requested_by_user: pull.userId ?? null,
      requested_at: pull.now.toString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

type PullChange = Updateable<PullsTable>;

export async function updatePull(tx: Tx, { companyId }: Integration, id: number, change: PullChange): Promise<void> {
  await tx.updateTable('pulls').set(change).where(ofCompany(companyId, 'pulls')).where('id', '=', id).execute();
}

/** What a connector stores after a pull that did not fail. */
export const withoutFailure = {
  attempts: 0,
  refused_at: null,
  failure_code: null,
  failure_reason: null,
  failure_message: null,
};

export async function updateConnector(tx: Tx, target: Integration, change: Updateable<HrConnectorsTable>) {
  await tx.updateTable('hr_connectors').set(change).where(ofIntegration(target, 'hr_connectors')).execute();
}

export async function countAttempts(tx: Tx, target: Integration, night: Temporal.PlainDate): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`select count(*) as attempts from pulls p
    where ${ofIntegration(target, 'p')} and p.night = ${night.toString()}::date`.execute(tx);
  return rows[0]?.attempts ?? 0;
}
