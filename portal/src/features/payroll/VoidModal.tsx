import { Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { PayrollExport } from '../../../../src/features/payroll/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { ConfirmModal } from '../../ui/ConfirmModal.tsx';
import { useVoidPayrollExport } from './api.ts';
import { texts } from './texts.ts';

/** Asks why the latest export is voided. */
export function VoidModal({ row, onClose }: { row: PayrollExport; onClose(): void }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const change = useVoidPayrollExport();
  const [reason, setReason] = useState('');
  const number = String(row.number);
  const confirm = () =>
    change.mutate(
      { id: row.id, reason },
      {
        onSuccess: () => {
          notifications.show({ color: 'teal', message: t('voidDone', { number }) });
          onClose();
        },
      },
    );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      onConfirm={confirm}
      title={t('voidTitle', { number, month: formats.month(row.period) })}
      confirmLabel={t('void')}
      danger
      pending={change.isPending}
      disabled={reason.trim() === ''}
      error={change.error}
    >
      <Stack gap="sm">
        <Text size="sm">{t('voidHint')}</Text>
        <TextInput
          label={t('voidReason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          data-autofocus
        />
      </Stack>
    </ConfirmModal>
  );
}
