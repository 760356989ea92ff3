import { Button, Group } from '@mantine/core';
import { useCommonTexts } from '../app/i18n/common.ts';

interface Props {
  submitLabel: string;
  pending: boolean;
  disabled?: boolean;
  onCancel(): void;
}

/** Renders the buttons at the end of a form in a dialog. */
export function FormButtons({ submitLabel, pending, disabled = false, onCancel }: Props) {
  const t = useCommonTexts();
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button type="submit" loading={pending} disabled={disabled}>
        {submitLabel}
      </Button>
    </Group>
  );
}
