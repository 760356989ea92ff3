import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import type { Roster } from './read-roster.ts';
import type { SyncTarget } from './target.ts';

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  metrics: Pick<Metrics, 'recordSyncAccepted'>;
}

/** Logs and counts a roster that was accepted. The log line of its outcome has the same `requestId`. */
export function reportAccepted(
  { request, reply, metrics }: Exchange,
  target: SyncTarget,
  { syncId, entryCount }: Pick<Roster, 'syncId' | 'entryCount'>,
  isNew: boolean,
): void {
  const fields = { ...target, syncId, entries: entryCount };
  if (!isNew) {
    request.log.info(fields, 'sync was already accepted');
    return;
  }
  metrics.recordSyncAccepted();
  request.log.info({ ...fields, ms: Math.round(reply.elapsedTime) }, 'sync accepted');
}
