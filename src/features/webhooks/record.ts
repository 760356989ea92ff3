import { sql } from 'kysely';
import type { Actor } from '../../domain/actor.ts';
import type { EndpointDisabledReason } from '../../domain/enums.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany, writeShared } from '../../platform/db/write.ts';
import type { Notices } from '../notices/notices.ts';
import type { AttemptResult } from './attempt.ts';
import { isFailingTooLong } from './rules/retry.ts';
import { disableWithin } from './set-state.ts';
import type { EndpointKey } from './store.ts';

const service: Actor = { type: 'service', name: null };

const stateOf = ({ error, retryInMillis }: AttemptResult) => {
  if (error === null) return 'succeeded';
  return retryInMillis === undefined ? 'failed' : 'pending';
};

/** Stores results and their log, unless another worker has stored one of the same attempt after the lease. */
async function storeResults(
  tx: Tx,
  { companyId, endpointId }: EndpointKey,
  results: readonly AttemptResult[],
  now: string,
): Promise<void> {
  const rows = JSON.stringify(
    results.map((result) => {
      const state = stateOf(result);
      const nextAttemptAt = new Date(Date.parse(now) + (result.retryInMillis ?? 0));
      return { ...result, state, ...(state === 'pending' ? { nextAttemptAt } : { finishedAt: now }) };
    }),
  );
  // Without the array, PostgreSQL reads all deliveries of the endpoint while it has no statistics of them.
  const sequences = results.map(({ sequence }) => sequence);
  await sql`
    update webhook_deliveries d set state = r.state, attempts = d.attempts + 1, failures = r.failures,
      next_attempt_at = r."nextAttemptAt", last_status = r.status, finished_at = r."finishedAt"
    from json_to_recordset(${rows}::json) as r(sequence bigint, attempts integer, failures integer, state text,
      "nextAttemptAt" timestamptz, "finishedAt" timestamptz, status integer)
    where ${ofCompany(companyId, 'd')} and d.endpoint_id = ${endpointId} and d.sequence = r.sequence
      and d.sequence = any(${sequences}::bigint[]) and d.state = 'pending' and d.attempts = r.attempts`.execute(tx);
  await sql`
    insert into webhook_attempts (company_id, endpoint_id, sequence, attempt, event_id, event_type, attempted_at, status,
      error, duration_ms, response_body)
    select ${companyId}, ${endpointId}::bigint, r.sequence, r.attempts + 1, r."eventId", r."eventType", r."attemptedAt",
      r.status, r.error, r."durationMs", r."responseBody"
    from json_to_recordset(${rows}::json) as r(sequence bigint, attempts integer, "eventId" text, "eventType" text,
      "attemptedAt" timestamptz, status integer, error text, "durationMs" integer, "responseBody" text)
    on conflict do nothing`.execute(tx);
}

/** Notes since when the endpoint has been failing. Returns it, or null if one of the results is a success. */
async function noteFailing(
  tx: Tx,
  { companyId, endpointId }: EndpointKey,
  hasSuccess: boolean,
): Promise<string | null> {
  const { rows } = await sql<{ since: string | null }>`
    select w.failing_since as since from webhook_endpoints w
    where ${ofCompany(companyId, 'w')} and w.id = ${endpointId}`.execute(tx);
  const since = rows[0]?.since ?? null;
  if (hasSuccess === (since === null)) return since;
  const { rows: changed } = await sql<{ since: string | null }>`
    update webhook_endpoints w set failing_since = ${hasSuccess ? null : sql`now()`}
    where ${ofCompany(companyId, 'w')} and w.id = ${endpointId} returning w.failing_since as since`.execute(tx);
  return changed[0]?.since ?? null;
}

async function notifyOfDisabled(tx: Tx, notices: Notices, { companyId, endpointId }: EndpointKey): Promise<void> {
  const { rows } = await sql<{ url: string; at: string }>`
    select w.url, w.disabled_at as at from webhook_endpoints w
    where ${ofCompany(companyId, 'w')} and w.id = ${endpointId} and w.state = 'disabled'
      and w.disabled_reason <> 'manual'`.execute(tx);
  const [disabled] = rows;
  if (disabled === undefined) return;
  await notices.queueNotices(tx, companyId, {
    name: 'webhook-disabled',
    occasion: `${endpointId}/${Date.parse(disabled.at)}`,
    page: `/webhooks/${endpointId}`,
    valuesIn: () => ({ host: new URL(disabled.url).host }),
  });
}

/** Stores the results of one endpoint. Returns why it has been disabled. Undefined: it has not. */
export async function recordResults(
  { db, notices }: { db: Db; notices: Notices },
  key: EndpointKey,
  results: readonly AttemptResult[],
): Promise<EndpointDisabledReason | undefined> {
  const hasSuccess = results.some(({ error }) => error === null);
  const isGone = results.some(({ status }) => status === 410);
  const since = await writeShared(db, async (tx) => {
    // An endpoint that is being deleted has no results to store.
    const { rows } = await sql<{ now: string }>`select now() as now from webhook_endpoints w
      where ${ofCompany(key.companyId, 'w')} and w.id = ${key.endpointId} for key share`.execute(tx);
    const [endpoint] = rows;
    if (endpoint === undefined) return null;
    await storeResults(tx, key, results, endpoint.now);
    return noteFailing(tx, key, hasSuccess);
  });
  const isTooLong = since !== null && isFailingTooLong(Date.parse(since), Date.now());
  const reason = isGone ? 'gone' : isTooLong ? 'failing' : undefined;
  if (reason !== undefined) {
    await writeCompany(db, key.companyId, async (tx) => {
      await disableWithin(tx, key, reason, { actor: service });
      await notifyOfDisabled(tx, notices, key);
    });
  }
  return reason;
}

export async function abandonDeliveries(db: Db, key: EndpointKey, sequences: number[]): Promise<void> {
  await sql`
    update webhook_deliveries d set state = 'failed', next_attempt_at = null, finished_at = now()
    where ${ofCompany(key.companyId, 'd')} and d.endpoint_id = ${key.endpointId} and d.state = 'pending'
      and d.sequence = any(${sequences}::bigint[])`.execute(db);
}
