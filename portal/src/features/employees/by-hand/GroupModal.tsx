import { Autocomplete, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  EmployeeSelection,
  GroupBody,
  GroupPreview,
  PreviewGroupBody,
} from '../../../../../src/features/employees/contract.ts';
import { usePost } from '../../../app/api/queries.ts';
import { post } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { ConfirmChange } from '../../../ui/Dialog.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Hint } from '../../../ui/text.tsx';
import { useGroups } from '../api.ts';
import { texts } from './texts.ts';

const touched = ['employees', 'policies', 'overview', 'activity'];
const settleMillis = 300;

interface Props {
  selection: EmployeeSelection;
  onClose(): void;
  onDone(): void;
}

/** Enters a group for the selected employees, once it has said for how many. */
export function GroupModal({ selection, onClose, onDone }: Props) {
  const { t } = useReader(texts);
  const groups = useGroups().data ?? [];
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, settleMillis);
  const body = { ...selection, group: settled.trim() || null };
  const preview = useQuery({
    queryKey: ['employees', 'group', body],
    queryFn: ({ signal }) => post<GroupPreview, PreviewGroupBody>('/employees/groups/preview', body, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const { changed = 0, ofRoster = 0 } = preview.data ?? {};
  const isCurrent = settled === typed && !preview.isPlaceholderData && preview.error === null;
  return (
    <ConfirmChange
      opened
      onClose={onClose}
      title={t('groupTitle')}
      confirmLabel={t('save')}
      change={usePost<GroupPreview, GroupBody>('/employees/groups', touched)}
      input={{ ...body, confirm: changed }}
      disabled={!isCurrent || changed === 0}
      done={(saved) => t('groupSaved', { count: saved.changed })}
      onDone={onDone}
      onFailed={() => void preview.refetch()}
    >
      <Stack gap="sm">
        <Autocomplete
          label={t('groupField')}
          description={t('groupHint')}
          data={groups.map(({ group }) => group)}
          value={typed}
          onChange={setTyped}
          maxLength={100}
          data-autofocus
        />
        <ProblemAlert error={preview.error} />
        {preview.data && (
          <div>
            <Text fw={600} role="status">
              {changed === 0
                ? t('groupNobody')
                : t(body.group === null ? 'groupRemoved' : 'groupChanges', { count: changed })}
            </Text>
            {ofRoster > 0 && <Text>{t('groupOfRoster', { count: ofRoster })}</Text>}
            <Hint>{t('groupKeeps')}</Hint>
          </div>
        )}
      </Stack>
    </ConfirmChange>
  );
}
