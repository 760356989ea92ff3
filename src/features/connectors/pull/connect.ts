import { isDeepStrictEqual } from 'node:util';
import type { Provider, PullSchedule } from '../../../domain/enums.ts';
import type { Encryption } from '../../../platform/crypto/encryption.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import { getCompany, type Integration, lockIntegration } from '../../companies/companies.ts';
import {
  type ConnectionChange,
  findHrIntegration,
  updateHrIntegration,
} from '../../integrations/change-integration.ts';
import type { Connector, Credentials } from '../providers/connector.ts';
import type { Mapping } from '../rules/mapping.ts';
import { defaultNightlyTime, nextPullTime } from '../rules/schedule.ts';
import { encryptCredentials } from './open-connection.ts';
import { findConnectorRow, updateConnector, withoutFailure } from './store.ts';

export interface NewConnection {
  connector: Connector;
  credentials: Credentials;
  /** Absent: the known one if the provider stays the same, else the default of the connector. */
  mapping?: Mapping | undefined;
  nightlyTime?: string | undefined;
  every?: PullSchedule | undefined;
  /** Whether the set-up is finished. Otherwise the integration stays `incomplete`, and does not pull. */
  isReady: boolean;
}

export interface ConnectedIntegration {
  provider: Provider;
  mapping: Mapping;
  mappingVersion: number;
  nightlyTime: string;
  every: PullSchedule;
}

interface ConnectContext {
  target: Integration;
  now: Temporal.Instant;
  by: By;
}

async function lockConnector(tx: Tx, target: Integration) {
  await lockIntegration(tx, target);
  const integration = await findHrIntegration(tx, target.companyId, target.hrIntegrationId);
  return { integration, known: await findConnectorRow(tx, target, { lock: true }) };
}

const insertConnectorAudit = (
  tx: Tx,
  { target, by }: ConnectContext,
  action: 'integration.connect' | 'integration.rules',
  { mapping, ...rules }: Omit<ConnectedIntegration, 'mapping'> & { mapping: Mapping | undefined },
) =>
  insertAudit(tx, target.companyId, {
    action,
    target: String(target.hrIntegrationId),
    detail: { ...rules, ...(mapping && { mapping }) },
    ...by,
  });

/**
 * Stores credentials and rules of an integration. A new connection of the same integration keeps its ids and links. If
 * the schedule had stopped, the missed night is pulled at once. Returns undefined if there is no such integration.
 */
export async function connectIntegration(
  tx: Tx,
  { encryption, ...context }: ConnectContext & { encryption: Encryption },
  { connector, credentials, isReady, ...given }: NewConnection,
): Promise<ConnectedIntegration | undefined> {
  const { target, now, by } = context;
  const { companyId, hrIntegrationId } = target;
  const { integration, known } = await lockConnector(tx, target);
  if (integration === undefined) return undefined;
  const { provider } = connector;
  const isSame = known?.provider === provider;
  const mapping = given.mapping ?? (isSame ? known.mapping : connector.defaultMapping);
  const isChanged = !isDeepStrictEqual(mapping, known?.mapping);
  const mappingVersion = (known?.mapping_version ?? 0) + (isChanged ? 1 : 0);
  const nightlyTime = given.nightlyTime ?? known?.nightly_time ?? defaultNightlyTime;
  const every = given.every ?? known?.pull_every ?? 'nightly';
  const { timeZone } = await getCompany(tx, companyId);
  const isInvalid = integration.status === 'invalid';
  const isCatchingUp = isInvalid && integration.initial_connection_status === 'completed';
  const nextPullAt = isCatchingUp ? now : nextPullTime(now, { nightlyTime, timeZone, every });
  const values = {
    provider,
    encrypted_credentials: encryptCredentials(encryption, target, credentials),
    mapping: JSON.stringify(mapping),
    mapping_version: mappingVersion,
    nightly_time: nightlyTime,
    pull_every: every,
    next_pull_at: isReady ? nextPullAt.toString() : null,
    ...withoutFailure,
    updated_at: now.toString(),
    // Somebody has looked at it, so the next file may differ as much as they want.
    memory: null,
    ...(isSame ? {} : { last_people: null, hint_token_hash: null, encrypted_hint_secret: null, hinted_at: null }),
  };
  await tx
    .insertInto('hr_connectors')
    .values({ company_id: companyId, hr_integration_id: hrIntegrationId, connected_at: now.toString(), ...values })
    .onConflict((conflict) => conflict.columns(['company_id', 'hr_integration_id']).doUpdateSet(values))
    .execute();
  const rules = { provider, nightlyTime, every, mappingVersion };
  await insertConnectorAudit(tx, context, 'integration.connect', {
    ...rules,
    mapping: isChanged ? mapping : undefined,
  });
  const isIncomplete = integration.initial_connection_status === 'incomplete';
  if (isReady && (isInvalid || isIncomplete)) {
    const change: ConnectionChange = {
      ...(isInvalid && { status: 'active' }),
      ...(isIncomplete && { onboarding: 'final-sync-pending' }),
    };
    await updateHrIntegration(tx, companyId, { id: hrIntegrationId, ...change }, { ...by, reason: 'reconnected' });
  }
  return { ...rules, mapping };
}

export interface RulesChange {
  mapping?: Mapping | undefined;
  /** HH:MM. */
  nightlyTime?: string | undefined;
  every?: PullSchedule | undefined;
  /** Finishes the set-up: the integration pulls from now on. */
  isReady?: boolean;
}

/** Changes the mapping and the schedule of a connected integration. Its credentials stay. */
export async function changeRules(tx: Tx, context: ConnectContext, change: RulesChange): Promise<void> {
  const { target, now, by } = context;
  const { integration, known } = await lockConnector(tx, target);
  if (integration === undefined || known === undefined) return;
  const { mapping = known.mapping, nightlyTime = known.nightly_time, every = known.pull_every } = change;
  const isChanged = !isDeepStrictEqual(mapping, known.mapping);
  const mappingVersion = known.mapping_version + (isChanged ? 1 : 0);
  const isMoved = nightlyTime !== known.nightly_time || every !== known.pull_every;
  const isStarted = change.isReady === true && integration.initial_connection_status === 'incomplete';
  if (!isChanged && !isMoved && !isStarted) return;
  const { timeZone } = await getCompany(tx, target.companyId);
  const isRescheduled = isStarted || (isMoved && known.next_pull_at !== null);
  await updateConnector(tx, target, {
    mapping: JSON.stringify(mapping),
    mapping_version: mappingVersion,
    nightly_time: nightlyTime,
    pull_every: every,
    updated_at: now.toString(),
    ...(isRescheduled ? { next_pull_at: nextPullTime(now, { nightlyTime, timeZone, every }).toString() } : {}),
  });
  const rules = { provider: known.provider, nightlyTime, every, mappingVersion };
  await insertConnectorAudit(tx, context, 'integration.rules', { ...rules, mapping: isChanged ? mapping : undefined });
  if (!isStarted) return;
  const started = { id: target.hrIntegrationId, onboarding: 'final-sync-pending' } as const;
  await updateHrIntegration(tx, target.companyId, started, by);
}
