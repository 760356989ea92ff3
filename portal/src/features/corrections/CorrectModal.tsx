import { Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Corrections, CorrectionsBody } from '../../../../src/features/corrections/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { ConfirmModal } from '../../ui/Dialog.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Hint } from '../../ui/text.tsx';
import { useCorrect, useCorrectionPreview } from './api.ts';
import { texts } from './texts.ts';

const reasons = ['refunded', 'charged-twice', 'left', 'absent', 'wrong-plan'] as const;
type Reason = (typeof reasons)[number];

/** What is corrected: some charges, or the tickets of an employee, of whom these months were charged. */
export type CorrectionChoice = { items: number[] } | { employeeId: number; months: readonly string[] };

function Preview({ preview }: { preview: Corrections }) {
  const { t, formats } = useReader(texts);
  const { corrected, overall, period, items } = preview;
  const already = items.filter(({ outcome }) => outcome === 'already-corrected').length;
  return (
    <div>
      <Text>
        {corrected === 0
          ? t('nothing')
          : t('preview', { count: corrected, amount: formats.money(overall.value), month: formats.month(period) })}{' '}
        {already > 0 && t('already', { count: already })}
      </Text>
      <Hint>{t('consequences')}</Hint>
    </div>
  );
}

interface Props {
  opened: boolean;
  choice: CorrectionChoice;
  initialReason?: Reason;
  onClose(): void;
}

/** Shows what corrections would do, and makes them. */
export function CorrectModal({ opened, choice, initialReason = 'refunded', onClose }: Props) {
  const { t, formats } = useReader(texts);
  const [reason, setReason] = useState<Reason>(initialReason);
  const months = 'months' in choice ? choice.months : [];
  const [from, setFrom] = useState(months[0] ?? '');
  const [to, setTo] = useState('');
  const body: CorrectionsBody =
    'items' in choice
      ? { items: choice.items, reason }
      : { employeeId: choice.employeeId, from, ...(to ? { to } : {}), reason };
  const preview = useCorrectionPreview(body);
  const correct = useCorrect();
  const corrected = preview.data?.corrected ?? 0;
  const monthChoices = months.map((month) => ({ value: month, label: formats.month(month) }));
  const confirm = () =>
    correct.mutate(body, {
      onSuccess: () => {
        onClose();
        notifyDone(t('done'));
      },
      onError: () => void preview.refetch(),
    });
  return (
    <ConfirmModal
      opened={opened}
      title={t('modalTitle')}
      confirmLabel={t('confirm', { count: corrected })}
      onClose={onClose}
      onConfirm={confirm}
      pending={correct.isPending || preview.isPending || preview.isPlaceholderData}
      disabled={corrected === 0}
      error={correct.error}
    >
      <Stack gap="md">
        <Group gap="sm" align="flex-end">
          <Select
            label={t('reason')}
            data={reasons.map((value) => ({ value, label: t(value) }))}
            value={reason}
            onChange={(value) => setReason(reasons.find((one) => one === value) ?? reason)}
            allowDeselect={false}
            flex="1 1 220px"
          />
          {'months' in choice && (
            <>
              <Select
                label={t('from')}
                data={monthChoices}
                value={from}
                onChange={(month) => {
                  setFrom(month ?? from);
                  if (month !== null && to !== '' && to < month) setTo('');
                }}
                allowDeselect={false}
                flex="1 1 140px"
              />
              <Select
                label={t('to')}
                data={[{ value: '', label: t('latest') }, ...monthChoices.filter(({ value }) => value >= from)]}
                value={to}
                onChange={(month) => setTo(month ?? '')}
                allowDeselect={false}
                flex="1 1 140px"
              />
            </>
          )}
        </Group>
        <ProblemAlert error={preview.error} />
        {preview.data && <Preview preview={preview.data} />}
      </Stack>
    </ConfirmModal>
  );
}
