import { isDeepStrictEqual } from 'node:util';
import type { Provider } from '../../../domain/enums.ts';
import type { Encryption } from '../../../platform/crypto/encryption.ts';
import { ofCompany } from '../../../platform/db/company-scope.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import { getCompany, type Integration, lockIntegration } from '../../companies/companies.ts';
import { updateHrIntegration } from '../change-integration.ts';
import type { Connector, Credentials } from '../providers/connector.ts';
import type { Mapping } from '../rules/mapping.ts';
import { defaultNightlyTime, nextNightlyTime } from '../rules/schedule.ts';
import { findHrIntegration } from '../store.ts';
import { encryptCredentials } from './open-connection.ts';
import { findConnectorRow } from './store.ts';

export interface NewConnection {
  connector: Connector;
  credentials: Credentials;
  /** Absent: the known one if the provider stays the same, else the default of the connector. */
  mapping?: Mapping;
  /** HH:MM. Absent: the known one, else the default. */
  nightlyTime?: string;
  /** Whether the set-up is finished. Otherwise the integration stays `incomplete`, and does not pull. */
  isReady: boolean;
}

export interface ConnectedIntegration {
  provider: Provider;
  mapping: Mapping;
  mappingVersion: number;
  nightlyTime: string;
}

/**
 * Stores credentials and rules of an integration. A new connection of the same integration keeps its ids and links. If
 * the schedule had stopped, the missed night is pulled at once. Returns undefined if there is no such integration.
 */
export async function connectIntegration(
  tx: Tx,
  { target, encryption, now, by }: { target: Integration; encryption: Encryption; now: Temporal.Instant; by: By },
  { connector, credentials, isReady, ...given }: NewConnection,
): Promise<ConnectedIntegration | undefined> {
  const { companyId, hrIntegrationId } = target;
  await lockIntegration(tx, target);
  const integration = await findHrIntegration(tx, companyId, hrIntegrationId);
  if (integration === undefined) return undefined;
  const { provider } = connector;
  const known = await findConnectorRow(tx, target, { lock: true });
  const isSame = known?.provider === provider;
  const mapping = given.mapping ?? (isSame ? known.mapping : connector.defaultMapping);
  const isChanged = !isDeepStrictEqual(mapping, known?.mapping);
  const mappingVersion = (known?.mapping_version ?? 0) + (isChanged ? 1 : 0);
  const nightlyTime = given.nightlyTime ?? known?.nightly_time ?? defaultNightlyTime;
  const { timeZone } = await getCompany(tx, companyId);
  const isCatchingUp = integration.status === 'invalid' && integration.initial_connection_status === 'completed';
  const nextPullAt = isCatchingUp ? now : nextNightlyTime(now, { nightlyTime, timeZone });
  const values = {
    provider,
    encrypted_credentials: encryptCredentials(encryption, target, credentials),
    mapping: JSON.stringify(mapping),
    mapping_version: mappingVersion,
    nightly_time: nightlyTime,
    next_pull_at: isReady ? nextPullAt.toString() : null,
    attempts: 0,
    refused_at: null,
    failure_code: null,
    failure_reason: null,
    failure_message: null,
    updated_at: now.toString(),
    // Somebody has looked at it, so the next file may differ as much as they want.
    memory: null,
    ...(isSame ? {} : { last_people: null }),
  };
  await tx
    .insertInto('hr_connectors')
    .values({ company_id: companyId, hr_integration_id: hrIntegrationId, connected_at: now.toString(), ...values })
    .onConflict((conflict) => conflict.columns(['company_id', 'hr_integration_id']).doUpdateSet(values))
    .execute();
  const detail = { provider, nightlyTime, mappingVersion, ...(isChanged ? { mapping } : {}) };
  await insertAudit(tx, companyId, { action: 'integration.connect', target: String(hrIntegrationId), detail, ...by });
  if (isReady) await markReady(tx, target, integration, by);
  return { provider, mapping, mappingVersion, nightlyTime };
}

export interface RulesChange {
  mapping?: Mapping;
  /** HH:MM. */
  nightlyTime?: string;
  /** Finishes the set-up: the integration pulls from now on. */
  isReady?: boolean;
}

/**
 * Changes the rules and the schedule of a connected integration. Its credentials stay. Returns undefined if it is not
 * connected.
 */
export async function changeRules(
  tx: Tx,
  { target, now, by }: { target: Integration; now: Temporal.Instant; by: By },
  change: RulesChange,
): Promise<ConnectedIntegration | undefined> {
  const { companyId, hrIntegrationId } = target;
  await lockIntegration(tx, target);
  const integration = await findHrIntegration(tx, companyId, hrIntegrationId);
  const known = await findConnectorRow(tx, target, { lock: true });
  if (integration === undefined || known === undefined) return undefined;
  const { provider } = known;
  const mapping = change.mapping ?? known.mapping;
  const isChanged = !isDeepStrictEqual(mapping, known.mapping);
  const mappingVersion = known.mapping_version + (isChanged ? 1 : 0);
  const nightlyTime = change.nightlyTime ?? known.nightly_time;
  const isMoved = nightlyTime !== known.nightly_time;
  const isStarted = change.isReady === true && integration.initial_connection_status === 'incomplete';
  if (isChanged || isMoved || isStarted) {
    const { timeZone } = await getCompany(tx, companyId);
    const hasSchedule = isStarted || known.next_pull_at !== null;
    const isScheduledAnew = hasSchedule && (isMoved || isStarted);
    await tx
      .updateTable('hr_connectors')
      .set({
        mapping: JSON.stringify(mapping),
        mapping_version: mappingVersion,
        nightly_time: nightlyTime,
        updated_at: now.toString(),
        ...(isScheduledAnew ? { next_pull_at: nextNightlyTime(now, { nightlyTime, timeZone }).toString() } : {}),
      })
      .where(ofCompany(companyId, 'hr_connectors'))
      .where('hr_integration_id', '=', hrIntegrationId)
      .execute();
    const detail = { provider, nightlyTime, mappingVersion, ...(isChanged ? { mapping } : {}) };
    await insertAudit(tx, companyId, { action: 'integration.rules', target: String(hrIntegrationId), detail, ...by });
  }
  if (isStarted) {
    await updateHrIntegration(tx, companyId, { id: hrIntegrationId, onboarding: 'final-sync-pending' }, by);
  }
  return { provider, mapping, mappingVersion, nightlyTime };
}

/** Lets the integration pull: an unfinished set-up is finished, and invalid credentials were replaced. */
async function markReady(
  tx: Tx,
  { companyId, hrIntegrationId: id }: Integration,
  integration: { status: string; initial_connection_status: string },
  by: By,
): Promise<void> {
  const isInvalid = integration.status === 'invalid';
  const isIncomplete = integration.initial_connection_status === 'incomplete';
  if (!isInvalid && !isIncomplete) return;
  const change = {
    id,
    ...(isInvalid ? { status: 'active' as const } : {}),
    ...(isIncomplete ? { onboarding: 'final-sync-pending' as const } : {}),
  };
  await updateHrIntegration(tx, companyId, change, { ...by, reason: 'reconnected' });
}
