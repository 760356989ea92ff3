import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useCommonTexts } from '../app/i18n/common.ts';
import { ProblemAlert } from './ProblemAlert.tsx';

interface Props {
  opened: boolean;
  onClose(): void;
  onConfirm(): void;
  title: string;
  /** Describes what will happen. */
  children: ReactNode;
  confirmLabel: string;
  /** The text that the user must type first, such as the number of employees concerned. */
  typed?: string;
  danger?: boolean;
  pending?: boolean;
  /** Whether there is nothing to confirm yet. */
  disabled?: boolean;
  error?: unknown;
  inWords?: Readonly<Record<string, string>>;
}

function Content(props: Props) {
  const { onClose, onConfirm, children, confirmLabel, typed, danger, pending, disabled, error, inWords } = props;
  const t = useCommonTexts();
  const [text, setText] = useState('');
  const isTyped = typed === undefined || text.trim() === typed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTyped && !pending && !disabled) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={t('typeToConfirm', { word: typed })}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <ProblemAlert error={error} inWords={inWords} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            color={danger ? 'red.8' : 'rail'}
            loading={pending ?? false}
            disabled={!isTyped || disabled === true}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks for confirmation of an important change. Closing the modal discards the typed text. */
export function ConfirmModal(props: Props) {
  const t = useCommonTexts();
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Content {...props} />
    </Modal>
  );
}
