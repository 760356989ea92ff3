import type { Match } from '../../domain/roster/match.ts';
import type { KnownRow } from './load.ts';

const details = {
  created: 'New in the roster.',
  'hr-id-reused': 'New in the roster. The HR id belonged to another employee, whose data is kept separately.',
  updated: 'Changed in the roster.',
  linked: 'Matched by email address and linked to this integration.',
  renumbered: 'Matched by email address. The HR system has assigned a new id.',
  returned: 'Back in the roster.',
  unlinked: 'Missing from the roster. Another integration still lists this employee, so only this link is removed.',
  removed: 'Missing from the roster. Removed immediately, because there is no current ticket.',
  offboarded: 'Missing from the roster. Removed when the current ticket expires.',
  'removal-held': 'Missing from the roster. Too many removals at once: approval required.',
} as const;

/** Returns the code of a record together with its meaning as a sentence. */
export const describeCode = (code: keyof typeof details) => ({ code, detail: details[code] });

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

const failures: Record<FailedMatch['code'], (holderId: number) => string> = {
  'email-taken': (id) => `The email address belongs to employee ${id}. Correct one of the two in the HR system.`,
  'hr-id-held': (id) =>
    `The HR id belonged to employee ${id}, whose removal is pending approval. Approve or reject it, then send the roster again.`,
};

/** Returns why an entry cannot be applied, and what to do about it. */
export const describeFailure = ({ code, holderId }: FailedMatch) => failures[code](holderId);
