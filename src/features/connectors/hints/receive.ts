import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hashSecret, parseToken } from '../../../platform/crypto/company-token.ts';
import type { Encryption } from '../../../platform/crypto/encryption.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import type { Integration } from '../../companies/companies.ts';
import { type SchedulePullsDeps, scheduleIfDue } from '../pull/schedule.ts';
import { findConnectorRow, findHintedConnector, findNewestRead, updateConnector } from '../pull/store.ts';
import { hintedPullTime } from '../rules/schedule.ts';
import { hintSecretName } from './address.ts';
import { isVerified } from './signature.ts';

const instantOf = (text: string | null) => (text === null ? null : Temporal.Instant.from(text));
const isAfter = (one: Temporal.Instant, other: Temporal.Instant) => Temporal.Instant.compare(one, other) > 0;

/**
 * Makes the next pull of an integration due, once per pull: further hints before it begins change nothing. While pulls
 * fail, their own delays apply, and an integration whose schedule has stopped stays so.
 */
async function bringForward(tx: Tx, deps: Omit<SchedulePullsDeps, 'db'>, target: Integration): Promise<void> {
  const row = await findConnectorRow(tx, target, { lock: true });
  if (row === undefined) return;
  const now = deps.clock.now();
  const newest = await findNewestRead(tx, target);
  if (newest?.state === 'waiting') return;
  const [hintedAt, startedAt] = [instantOf(row.hinted_at), instantOf(newest?.started_at ?? null)];
  if (hintedAt !== null && (startedAt === null || isAfter(hintedAt, startedAt))) return;
  const due = hintedPullTime(now, instantOf(newest?.requested_at ?? null));
  const scheduled = instantOf(row.next_pull_at);
  const isSooner = row.failure_code === null && scheduled !== null && isAfter(scheduled, due);
  await updateConnector(tx, target, {
    hinted_at: now.toString(),
    ...(isSooner ? { next_pull_at: due.toString() } : {}),
  });
  if (isSooner && !isAfter(due, now)) await scheduleIfDue(tx, deps, target);
}

export interface ReceivedHint {
  token: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Accepts a hint that something has changed in an HR system. Returns nothing, so that nobody learns which tokens exist. */
export async function receiveHint(
  { db, encryption, ...deps }: SchedulePullsDeps & { encryption: Encryption },
  { token, headers, body }: ReceivedHint,
): Promise<void> {
  const parsed = parseToken(token);
  if (parsed === undefined) return;
  const { companyId } = parsed;
  const hash = hashSecret(parsed.secret);
  const row = await findHintedConnector(db, companyId, hash);
  if (!row || !timingSafeEqual(row.tokenHash, hash)) return;
  const target = { companyId, hrIntegrationId: row.hrIntegrationId };
  const secret = row.encryptedSecret && encryption.decrypt(row.encryptedSecret, hintSecretName(target));
  if (!isVerified(row.provider, { headers, body, secret, now: deps.clock.now() })) return;
  await writeCompany(db, companyId, (tx) => bringForward(tx, deps, target));
}
