import { Card, Chip, Group, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type RecordOutcome, recordOutcomes } from '../../../../../src/domain/enums.ts';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { Pager } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ExportRecords } from '../../../ui/exports/ExportRecords.tsx';
import type { ListState } from '../../../ui/list-state.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx';
import { RecordList } from '../../../ui/records/RecordList.tsx';
import { useSyncRecords } from '../../connectors/api.ts';
import { texts } from './texts.ts';

interface Props {
  integrationId: number;
  sync: ExplainedSync;
  list: ListState;
}

function OutcomeFilter({ sync, list, chosen }: { sync: ExplainedSync; list: ListState; chosen: RecordOutcome[] }) {
  const t = useTexts(texts);
  const words = useWords().recordOutcome;
  const { number } = useFormats();
  return (
    <Group gap={6} role="group" aria-label={t('outcomes')}>
      <Chip.Group multiple value={chosen} onChange={(outcomes) => list.set({ outcomes })}>
        {recordOutcomes
          .filter((outcome) => sync.counts[outcome] > 0 || chosen.includes(outcome))
          .map((outcome) => (
            <Chip key={outcome} value={outcome} size="xs" variant="outline">
              {words[outcome]} ({number(sync.counts[outcome])})
            </Chip>
          ))}
      </Chip.Group>
    </Group>
  );
}

/** Lists the outcome per employee, paged by the server. */
export function Records({ integrationId, sync, list }: Props) {
  const t = useTexts(texts);
  const outcomes = list.words('outcomes', recordOutcomes);
  const { page, perPage } = list;
  const records = useSyncRecords(integrationId, sync.syncId, { page, perPage, outcomes });
  const { data, error, isPlaceholderData } = records;
  const isFiltered = outcomes.length > 0;
  return (
    <Stack component="section" gap="sm" aria-labelledby="records" id="records-section">
      <Group justify="space-between" gap="xs" align="flex-end">
        <div>
          <Title order={2} id="records">
            {t('records')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('recordsHint')}
          </Text>
        </div>
        <Group gap="sm">
          <OutcomeFilter sync={sync} list={list} chosen={outcomes} />
          {data?.total !== 0 && (
            <ExportRecords integrationId={integrationId} syncId={sync.syncId} outcomes={outcomes} />
          )}
        </Group>
      </Group>
      <ProblemAlert error={data === undefined && error} onRetry={() => void records.refetch()} />
      {data === undefined && !error && <RowsSkeleton rows={6} />}
      {data?.total === 0 && (
        <Card>
          <EmptyState
            icon={IconCircleCheck}
            title={t(isFiltered ? 'noMatch' : 'noRecords')}
            hint={t(isFiltered ? 'noMatchHint' : 'noRecordsHint')}
          />
        </Card>
      )}
      {data !== undefined && data.total > 0 && (
        <Card padding={0} opacity={isPlaceholderData ? 0.55 : 1} aria-busy={isPlaceholderData}>
          <RecordList records={data.data} label={t('records')} />
          <Pager page={data} list={list} />
        </Card>
      )}
    </Stack>
  );
}
