import type { ActivityEntry } from '../../../../src/features/activity/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { ExportButton } from '../../ui/export.tsx';
import { texts } from '../../ui/exports/texts.ts';
import { useEntryWords } from './entry-words.ts';

/** Exports the entries of the audit log that match the filters of the page. */
export function ExportActivity({ query }: { query: object }) {
  const t = useTexts(texts);
  const words = useWords();
  const formats = useFormats();
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
