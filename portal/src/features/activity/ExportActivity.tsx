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
  return (
    <ExportButton<ActivityEntry>
      path="/activity/export"
      query={query}
      name={t('activity')}
      columns={[
        [t('time', { zone: useMe().data?.company.timeZone ?? '' }), ({ at }) => formats.sortableTime(at)],
        [t('actorType'), ({ actorType }) => words.actor[actorType]],
        [t('actor'), ({ actor }) => actor],
        [t('what'), sentence],
        [t('target'), ({ target }) => target],
      ]}
    />
  );
}
