import { Button, Checkbox, Group, Radio, ScrollArea, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useSyncRecords } from '../../connectors/api.ts';
import { useEmployeeNames } from '../../employees/api.ts';
import { texts } from './texts.ts';

const perPage = 50;

interface Props {
  integrationId: number;
  sync: ExplainedSync;
  /** Null: all of them. */
  chosen: readonly number[] | null;
  onChange(chosen: readonly number[] | null): void;
}

/** Names the employees whose removal is pending, and lets the user choose some of them. */
export function RemovalChoice({ integrationId, sync, chosen, onChange }: Props) {
  const t = useTexts(texts);
  const [page, setPage] = useState(1);
  const { data, error } = useSyncRecords(integrationId, sync.syncId, { page, perPage, outcomes: ['held'] });
  const records = data?.data ?? [];
  const names = useEmployeeNames(records.flatMap(({ employeeId }) => employeeId ?? []));
  const toggle = (id: number) =>
    onChange(chosen?.includes(id) ? chosen.filter((one) => one !== id) : [...(chosen ?? []), id]);
  return (
    <Stack gap="sm">
      <Radio.Group
        value={chosen === null ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? null : [])}
        aria-label={t('choice')}
      >
        <Group gap="lg">
          <Radio value="all" label={t('chooseAll', { count: sync.counts.held })} />
          {sync.counts.held > 1 && <Radio value="some" label={t('chooseSome')} />}
        </Group>
      </Radio.Group>
      <ProblemAlert error={error} />
      {data === undefined && !error && <Skeleton height={120} />}
      <ScrollArea.Autosize
        mah={220}
        type="auto"
        viewportProps={{ tabIndex: 0, 'aria-label': t('choiceList'), role: 'group' }}
      >
        <Stack gap={6}>
          {records.map(({ hrId, employeeId }) => {
            const name = employeeId === null ? undefined : names?.get(employeeId);
            const label = name === undefined ? hrId : `${name} (${hrId})`;
            if (chosen === null || employeeId === null) {
              return (
                <Text key={hrId} size="sm">
                  {label}
                </Text>
              );
            }
            return (
              <Checkbox
                key={hrId}
                size="sm"
                label={label}
                checked={chosen.includes(employeeId)}
                onChange={() => toggle(employeeId)}
              />
            );
          })}
        </Stack>
      </ScrollArea.Autosize>
      {data !== undefined && data.totalPages > 1 && (
        <Group gap="xs">
          <Button size="compact-xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('previousPage')}
          </Button>
          <Text size="xs" c="dimmed">
            {t('page', { page, pages: data.totalPages })}
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            disabled={page >= data.totalPages}
            onClick={() => setPage(page + 1)}
          >
            {t('nextPage')}
          </Button>
        </Group>
      )}
      {chosen !== null && (
        <Text size="sm" role="status">
          {t('chosen', { count: chosen.length })}
        </Text>
      )}
    </Stack>
  );
}
