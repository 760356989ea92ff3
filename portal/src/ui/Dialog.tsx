import { Group, Modal, type ModalProps, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useReader } from '../app/i18n/reader.ts';
import { Action } from './Action.tsx';
import { notifyDone } from './notify.tsx';
import { ProblemAlert } from './ProblemAlert.tsx';

/** Renders a modal. While `isPinned`, such as for a secret, neither a stray click nor the Escape key closes it. */
export function Dialog({ isPinned = false, ...props }: ModalProps & { isPinned?: boolean }) {
  const { t } = useReader();
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('close') }}
      closeOnClickOutside={!isPinned}
      closeOnEscape={!isPinned}
      {...props}
    />
  );
}

/** Holds what a dialog is about. It stays while the dialog closes, so that its text does not change. */
export function useDialogFor<T>() {
  const [chosen, setChosen] = useState<T>();
  const [opened, { open, close }] = useDisclosure(false);
  const openFor = (next: T) => {
    setChosen(next);
    open();
  };
  return { chosen, opened, openFor, close };
}

interface ConfirmProps {
  opened?: boolean;
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

function ConfirmForm(props: ConfirmProps) {
  const { onClose, onConfirm, children, confirmLabel, typed, danger, pending, disabled, error, inWords } = props;
  const { t } = useReader();
  const [text, setText] = useState('');
  const isTyped = typed === undefined || text.trim() === typed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTyped && !pending && !disabled) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text component="div">{children}</Text>
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
          <Action variant="default" onClick={onClose} label={t('cancel')} />
          <Action
            type="submit"
            color={danger ? 'red.8' : 'rail'}
            loading={pending ?? false}
            disabled={!isTyped || disabled === true}
            label={confirmLabel}
          />
        </Group>
      </Stack>
    </form>
  );
}

/** Asks for confirmation of an important change. Closing the modal discards the typed text. */
export function ConfirmModal({ opened = true, ...props }: ConfirmProps) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={props.title}>
      <ConfirmForm {...props} />
    </Dialog>
  );
}

interface ChangeProps<Input, Output> extends Omit<ConfirmProps, 'onConfirm' | 'pending'> {
  change: UseMutationResult<Output, Error, Input>;
  input: NoInfer<Input>;
  /** Says that it is done. */
  done: string | ((output: Output) => string);
  onDone?(output: Output): void;
  onFailed?(): void;
}

/**
 * Asks for confirmation of a change and carries it out. A change that failed leaves the modal open, which says why.
 */
export function ConfirmChange<Input, Output>(props: ChangeProps<Input, Output>) {
  const { change, input, done, onDone, onFailed, onClose, error, ...rest } = props;
  const close = () => {
    change.reset();
    onClose();
  };
  // Awaits the change instead of passing callbacks, which do not run if the component is gone by then.
  const confirm = async () => {
    const result = await change.mutateAsync(input).then(
      (output) => ({ output }),
      () => undefined,
    );
    if (result === undefined) return onFailed?.();
    close();
    notifyDone(typeof done === 'string' ? done : done(result.output));
    onDone?.(result.output);
  };
  return (
    <ConfirmModal
      {...rest}
      onClose={close}
      onConfirm={() => void confirm()}
      pending={change.isPending}
      error={change.error ?? error}
    />
  );
}
