import { createMessage, formatMessage } from '../../domain/messages/message.ts';
import type { KnownRow } from './load.ts';
import type { Match } from './rules/match.ts';

type Code =
  | ('created' | 'hr-id-reused' | 'updated' | 'linked' | 'renumbered' | 'returned')
  | ('unlinked' | 'removed' | 'offboarded' | 'removal-held');

/** Returns the code of a record together with its meaning as a sentence. */
export function describeCode(code: Code) {
  const message = createMessage(`record-${code}`);
  return { code, detail: formatMessage(message), message };
}

/** Returns outcome, code and sentence for an entry that creates or updates an employee. */
export function describePresent(match: Match, known: KnownRow | undefined) {
  if (match.kind === 'new' || known === undefined) {
    const isReused = match.kind === 'new' && match.reusedFrom !== undefined;
    return { outcome: 'created' as const, ...describeCode(isReused ? 'hr-id-reused' : 'created') };
  }
  const isBack = known.isRemoved || known.isLeaving;
  const by = match.kind === 'known' ? match.by : 'hr-id';
  return {
    outcome: 'updated' as const,
    ...describeCode(isBack ? 'returned' : by === 'email' ? 'linked' : by === 'renumbered' ? 'renumbered' : 'updated'),
  };
}

type FailedMatch = Extract<Match, { kind: 'failed' }>;

/** Returns why an entry cannot be applied, and what to do about it. */
export function describeFailure({ code, holderId }: FailedMatch) {
  const message = createMessage(`record-${code}`, { holderId: String(holderId) });
  return { code, detail: formatMessage(message), message };
}
