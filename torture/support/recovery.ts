import { holdsWithin } from '../../test/support/until.ts';
import { kinds, type OutageLoad } from './outage-load.ts';

/**
 * Returns the seconds from `since` until nothing fails any more: until the last failure or, if later, until the start
 * of the first successful request of the slowest kind. How long a large export takes after that is not counted, because
 * it depends on its reader. Nothing may fail for `steadyMs`. Infinite if that takes too long.
 */
export async function untilRequestsSucceed(
  { outcomes, underway }: OutageLoad,
  since: number,
  { steadyMs, timeoutSeconds }: { steadyMs: number; timeoutSeconds: number },
): Promise<number> {
  const after = () => outcomes.filter(({ endedAt }) => endedAt >= since);
  const lastFailure = () => Math.max(since, ...after().flatMap((one) => (one.result === 'done' ? [] : one.endedAt)));
  const firstDone = () => {
    const done = after().filter(({ begunAt, result }) => begunAt >= since && result === 'done');
    return Math.max(...kinds.map((kind) => done.find((one) => one.kind === kind)?.begunAt ?? Infinity));
  };
  const isSteady = () =>
    Date.now() - lastFailure() >= steadyMs &&
    firstDone() < Infinity &&
    [...underway].every(({ begunAt }) => begunAt >= since);
  if (!(await holdsWithin(timeoutSeconds * 1_000, isSteady))) return Infinity;
  return (Math.max(lastFailure(), firstDone()) - since) / 1_000;
}
