import { Alert, Text } from '@mantine/core';
import type { RosterPreview } from '../../../../src/features/roster/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { ConfirmModal } from '../ConfirmModal.tsx';
import { texts } from './texts.ts';

/** Says first what a sync would do that nobody expects of a roster: people who come back, and what it costs. */
export function Effects({ preview: { reactivated, newFees } }: { preview: RosterPreview }) {
  const t = useTexts(texts);
  const formats = useFormats();
  return (
    <>
      {reactivated > 0 && (
        <Alert color="orange" py="xs">
          <Text size="sm">{t('reactivated', { count: reactivated })}</Text>
        </Alert>
      )}
      {newFees && (
        <Alert color="blue" py="xs">
          <Text size="sm">
            {t('newFees', {
              count: newFees.employees,
              perMonth: formats.money(newFees.perMonth.value),
              perEmployee: formats.money(newFees.perEmployee.value),
            })}
          </Text>
        </Alert>
      )}
    </>
  );
}

interface Props {
  preview: RosterPreview;
  opened: boolean;
  onClose(): void;
  onConfirm(): void;
}

/** Asks for the number of people who would come back, as the approval of removals does. */
export function ConfirmReactivation({ preview: { reactivated }, opened, onClose, onConfirm }: Props) {
  const t = useTexts(texts);
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      title={t('reactivateTitle')}
      confirmLabel={t('reactivateConfirm')}
      typed={String(reactivated)}
    >
      {t('reactivated', { count: reactivated })}
    </ConfirmModal>
  );
}
