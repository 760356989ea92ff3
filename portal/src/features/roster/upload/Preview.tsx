import { Alert, Button, Card, Chip, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type RecordOutcome, recordOutcomes } from '../../../../../src/domain/enums.ts';
import type { RosterPreview } from '../../../../../src/features/roster/contract.ts';

import { useFormats } from '../../../app/i18n/formats.ts';
import { useLanguage } from '../../../app/i18n/language.tsx';
import { useMessages } from '../../../app/i18n/messages.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { downloadCsv } from '../../../ui/export.tsx';
import { Section } from '../../../ui/layout.tsx';
import { EmptyState } from '../../../ui/Query.tsx';
import { Counts, Effects, RecordList, useFieldValues } from '../../../ui/records/records.tsx';
import { Pager, useListState } from '../../../ui/table.tsx';
import { Hint } from '../../../ui/text.tsx';
import { Warnings } from '../../../ui/warnings/Warnings.tsx';
import { texts } from './texts.ts';

type PreviewRecord = RosterPreview['records'][number];

/** Returns a function that saves records as a table, one row per employee. */
function useDownload() {
  const t = useTexts(texts);
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
        [t('hrIdName'), t('employeeName'), t('outcome'), t('reason'), t('changes')],
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
  const t = useTexts(texts);
  const words = useWords().recordOutcome;
  const { number } = useFormats();
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
  const narrow = (change: () => void) => {
    change();
    list.set({});
  };
  return (
    <Stack component="section" gap="sm" aria-labelledby="records">
      <Group justify="space-between" gap="xs" align="flex-end">
        <div>
          <Title order={2} id="records">
            {t('records')}
          </Title>
          {preview.records.length < total && (
            <Hint>{t('firstRecords', { shown: preview.records.length, count: total })}</Hint>
          )}
        </div>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => download(found)}
          disabled={found.length === 0}
        >
          {t('download')}
        </Button>
      </Group>
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
        <Group gap={6} role="group" aria-label={t('outcomes')}>
          <Chip.Group multiple value={chosen} onChange={(value) => narrow(() => setChosen(value as RecordOutcome[]))}>
            {recordOutcomes
              .filter((outcome) => preview.counts[outcome] > 0)
              .map((outcome) => (
                <Chip key={outcome} value={outcome} size="xs" variant="outline">
                  {words[outcome]} ({number(preview.counts[outcome])})
                </Chip>
              ))}
          </Chip.Group>
        </Group>
      </Group>
      <Card padding={0}>
        {shown.length === 0 ? (
          <EmptyState title={t('noRecordFound')} />
        ) : (
          <>
            <RecordList records={shown} label={t('records')} />
            <Pager page={{ data: shown, page, perPage: list.perPage, totalPages, total: found.length }} list={list} />
          </>
        )}
      </Card>
    </Stack>
  );
}

/** Renders what the roster would do. Nothing has been applied yet. */
export function Preview({ preview, actions }: { preview: RosterPreview; actions: ReactNode }) {
  const t = useTexts(texts);
  const { created, updated, offboarded, held, failed } = preview.counts;
  const count = created + updated + offboarded + held + failed;
  const notice = (text: string, colour: string) => (
    <Alert color={colour} py="xs">
      <Text size="sm">{text}</Text>
    </Alert>
  );
  return (
    <>
      <Section title={t('previewTitle')}>
        <Stack gap="md">
          <Hint>
            {t('entries', { count: preview.entries })} {count === 0 && t('nothing')}
          </Hint>
          <Effects preview={preview} />
          <Counts counts={preview.counts} />
          {held > 0 && notice(t('held', { count: held }), 'orange')}
          {offboarded > 0 && notice(t('leaving', { count: offboarded }), 'yellow')}
          {failed > 0 && notice(t('failing', { count: failed }), 'red')}
          <Warnings warnings={preview.warnings} />
          {actions}
        </Stack>
      </Section>
      {preview.records.length > 0 && <PreviewRecords preview={preview} total={count} />}
    </>
  );
}
