import { Badge } from '@mantine/core';
import type { Words } from '../app/i18n/words.en.ts';
import { useWords } from '../app/i18n/words.ts';

const colours: Record<string, string> = {
  active: 'teal',
  enabled: 'teal',
  succeeded: 'teal',
  completed: 'teal',
  accepted: 'teal',
  approved: 'teal',
  created: 'teal',
  scheduled: 'blue',
  processing: 'blue',
  updated: 'blue',
  pending: 'orange',
  'scheduled-pause': 'yellow',
  'scheduled-cancellation': 'orange',
  'partially-failed': 'orange',
  'final-sync-pending': 'blue',
  incomplete: 'orange',
  held: 'orange',
  paused: 'yellow',
  invalid: 'red',
  failed: 'red',
  failing: 'red',
  'authentication-failed': 'red',
  rejected: 'red',
  revoked: 'red',
  admin: 'rail',
};

/**
 * Returns the colour of a status. One list of colours gives the same status the same colour everywhere, including
 * charts.
 */
export const colourOf = (word: string) => colours[word] ?? 'gray';

interface Props<G extends keyof Words> {
  /** The list that the word belongs to. */
  of: G;
  word: keyof Words[G] & string;
}

/** `<StatusBadge of="subscriptionStatus" word={status} />` */
export function StatusBadge<G extends keyof Words>({ of, word }: Props<G>) {
  const words = useWords()[of] as Record<string, string>;
  const isWaiting = of === 'syncState' && word === 'accepted';
  return (
    <Badge color={isWaiting ? 'blue' : colourOf(word)} miw="max-content">
      {words[word] ?? word}
    </Badge>
  );
}
