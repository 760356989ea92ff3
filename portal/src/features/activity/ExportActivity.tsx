import type { ActivityEntry } from '../../../../src/features/activity/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { ExportButton } from '../../ui/export.tsx';
import { texts } from '../../ui/exports/texts.ts';
import { useEntryWords } from './entry-words.ts';

/** Exports the entries of the audit log that match the filters of the page. */
export function ExportActivity({ query }: { query: object }) {
  const { t, words, formats } = useReader(texts);
  const { sentence } = useEntryWords();
  const zone = useMe().data?.company.timeZone ?? '';
  const toCells = (entry: ActivityEntry) => [
    formats.sortableTime(entry.at),
    words.actor[entry.actorType],
    entry.actor ?? '',
    sentence(entry),
    entry.target ?? '',
  ];
  return (
    <ExportButton
      path="/activity/export"
      query={query}
      name={t('activity')}
      headings={[t('time', { zone }), t('actorType'), t('actor'), t('what'), t('target')]}
      toCells={toCells}
    />
  );
}
