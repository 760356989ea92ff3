import { Checkbox, Group, Radio, ScrollArea, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { SmallAction } from '../../../ui/Action.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Small } from '../../../ui/text.tsx';
import { useSyncRecords } from '../../connectors/api.ts';
import { useEmployeeNames } from '../../employees/api.ts';
import { texts } from './texts.ts';

const perPage = 50;

interface RemovalChoiceProps {
  integrationId: number;
  sync: ExplainedSync;
  /** Null: all of them. */
  chosen: readonly number[] | null;
  onChange(chosen: readonly number[] | null): void;
}

/** Lets the user offboard all employees who are missing from the roster, or only some of them. */
export function RemovalChoice({ integrationId, sync, chosen, onChange }: RemovalChoiceProps) {
  const { t } = useReader(texts);
  const [page, setPage] = useState(1);
  const { data, error } = useSyncRecords(integrationId, sync.syncId, { page, perPage, outcomes: ['held'] });
  const records = data?.data ?? [];
  const names = useEmployeeNames(records.flatMap(({ employeeId }) => employeeId ?? []));
  const turn = (to: number, label: string) => (
    <SmallAction
      size="compact-xs"
      disabled={to < 1 || to > (data?.totalPages ?? 1)}
      onClick={() => setPage(to)}
      label={label}
    />
  );
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
            if (chosen === null || employeeId === null) return <Text key={hrId}>{label}</Text>;
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
          {turn(page - 1, t('previousPage'))}
          <Small>{t('page', { page, pages: data.totalPages })}</Small>
          {turn(page + 1, t('nextPage'))}
        </Group>
      )}
      {chosen !== null && <Text role="status">{t('chosen', { count: chosen.length })}</Text>}
    </Stack>
  );
}
