import { Button, Group, Stack, type StackProps } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useReader } from '../app/i18n/reader.ts';
import { Problem } from './change-form.tsx';

/** Apart from the form itself, because the sign-in page needs nothing else. */
export { useChangeForm } from './change-form.tsx';

interface Submitted {
  submit(event: FormEvent<HTMLFormElement>): void;
  isPending: boolean;
  problem: Error | null;
}

interface Props extends Pick<StackProps, 'gap'> {
  of: Submitted;
  children: ReactNode;
  /** Absent: the children contain the buttons. */
  submitLabel?: string;
  disabled?: boolean;
  /** For dialogs, which can be cancelled. */
  onCancel?: () => void;
  /** Other buttons after the one that submits. */
  beside?: ReactNode;
  isWide?: boolean;
  inWords?: Readonly<Record<string, string>> | undefined;
}

/** Renders a form with its problem and its buttons. */
export function Form({ of, children, submitLabel, disabled = false, onCancel, beside, ...props }: Props) {
  const { isWide = false, inWords, gap = 'md' } = props;
  const { t } = useReader();
  const alert = <Problem error={of.problem} inWords={inWords} />;
  const button = submitLabel !== undefined && (
    <Button type="submit" loading={of.isPending} disabled={disabled}>
      {submitLabel}
    </Button>
  );
  const isAlertLast = onCancel !== undefined || beside !== undefined;
  return (
    <form onSubmit={of.submit} noValidate>
      <Stack gap={gap}>
        {!isAlertLast && alert}
        {children}
        {isAlertLast && alert}
        {isWide || !button ? (
          button
        ) : (
          <Group justify={onCancel ? 'flex-end' : 'flex-start'} gap="xs">
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {t('cancel')}
              </Button>
            )}
            {button}
            {beside}
          </Group>
        )}
      </Stack>
    </form>
  );
}
