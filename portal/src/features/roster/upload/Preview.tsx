import { Card, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RecordOutcome } from '../../../../../src/domain/enums.ts';
import type { RosterPreview } from '../../../../../src/features/roster/contract.ts';
import { useLanguage } from '../../../app/i18n/language.tsx';
import { useMessages } from '../../../app/i18n/messages.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { Action } from '../../../ui/Action.tsx';
import { downloadCsv } from '../../../ui/export.tsx';
import { IconDownload, IconSearch } from '../../../ui/icons.gen.ts';
import { PlainSection, Section } from '../../../ui/layout.tsx';
import { useListState } from '../../../ui/list-state.ts';
import { EmptyState } from '../../../ui/Query.tsx';
import {
  countChanges,
  OutcomeFilter,
  PreviewOutcome,
  RecordList,
  useFieldValues,
} from '../../../ui/records/records.tsx';
import { Pager } from '../../../ui/table.tsx';
import { texts } from './texts.ts';

type PreviewRecord = RosterPreview['records'][number];

/** Returns a function that saves records as a table, one row per employee. */
function useDownload() {
  const { t } = useReader(texts);
  const { language } = useLanguage();
  const words = useWords().recordOutcome;
  const { nameField, formatValue } = useFieldValues();
  const { renderMessage } = useMessages();
  const describeChange = ({ field, from, to }: PreviewRecord['changes'][number]) =>
    `${nameField(field)}: ${formatValue(field, from) ?? '–'} → ${formatValue(field, to) ?? '–'}`;
  return (records: readonly PreviewRecord[]) =>
    downloadCsv(
      t('previewName'),
      [
        [t('hrIdName'), t('name'), t('outcome'), t('reason'), t('changes')],
        ...records.map((record) => [
          record.hrId,
          record.name ?? '',
          words[record.outcome],
          renderMessage(record.message) ?? record.detail,
          record.changes.map(describeChange).join('\n'),
        ]),
      ],
      language,
    );
}

const matches = ({ hrId, name }: PreviewRecord, words: readonly string[]) => {
  const text = `${hrId} ${name ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** Lists every record of the preview. They are all in memory, so filters and search need no request. */
function PreviewRecords({ preview, total }: { preview: RosterPreview; total: number }) {
  const { t } = useReader(texts);
  const download = useDownload();
  const list = useListState();
  const [chosen, setChosen] = useState<RecordOutcome[]>([]);
  const [search, setSearch] = useState('');
  const searched = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = preview.records.filter(
    (record) => (chosen.length === 0 || chosen.includes(record.outcome)) && matches(record, searched),
  );
  const totalPages = Math.max(1, Math.ceil(found.length / list.perPage));
  const page = Math.min(list.page, totalPages);
  const shown = found.slice((page - 1) * list.perPage, page * list.perPage);
  const all = preview.records.length;
  const isCut = all < total;
  const save = (
    <Action
      variant="default"
      size="compact-md"
      icon={IconDownload}
      onClick={() => download(found)}
      disabled={found.length === 0}
      label={t('download')}
    />
  );
  const narrow = (change: () => void) => {
    change();
    list.set({});
  };
  return (
    <PlainSection title={t('details')} hint={isCut && t('firstRecords', { shown: all, count: total })} aside={save}>
      <Group gap="sm" align="center">
        <TextInput
          type="search"
          aria-label={t('searchRecords')}
          placeholder={t('searchRecords')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => {
            const text = event.currentTarget.value;
            narrow(() => setSearch(text));
          }}
          flex="1 1 220px"
          maw={340}
        />
        <OutcomeFilter
          label={t('outcomes')}
          counts={preview.counts}
          chosen={chosen}
          onChange={(next) => narrow(() => setChosen(next))}
        />
      </Group>
      <Card padding={0}>
        {shown.length === 0 ? (
          <EmptyState title={t('noRecordFound')} />
        ) : (
          <>
            <RecordList records={shown} label={t('details')} />
            <Pager page={{ data: shown, page, perPage: list.perPage, totalPages, total: found.length }} list={list} />
          </>
        )}
      </Card>
    </PlainSection>
  );
}

/** Renders what the roster would do. Nothing has been applied yet. */
export function Preview({ preview, actions }: { preview: RosterPreview; actions: ReactNode }) {
  const { t } = useReader(texts);
  const count = countChanges(preview.counts);
  return (
    <>
      <Section title={t('preview')}>
        <Stack gap="md">
          <PreviewOutcome
            preview={preview}
            summary={`${t('entries', { count: preview.entries })} ${count === 0 ? t('nothing') : ''}`}
            held={t('held', { count: preview.counts.held })}
          />
          {actions}
        </Stack>
      </Section>
      {preview.records.length > 0 && <PreviewRecords preview={preview} total={count} />}
    </>
  );
}
