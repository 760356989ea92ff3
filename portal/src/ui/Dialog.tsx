import { Group, Modal, type ModalProps, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, Fragment, type ReactNode, useState } from 'react';
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

export interface DialogState {
  opened: boolean;
  onClose(): void;
}

export type Show = ReturnType<typeof useDialog>['show'];

/** Holds the dialog that was opened last. It stays while it closes, so that its text does not change. */
export function useDialog() {
  const [shown, setShown] = useState<{ key: number; render(state: DialogState): ReactNode }>();
  const [opened, { open, close }] = useDisclosure(false);
  return {
    show(render: (state: DialogState) => ReactNode) {
      setShown({ key: (shown?.key ?? 0) + 1, render });
      open();
    },
    /** Rendered beside what opens it. */
    dialog: shown && <Fragment key={shown.key}>{shown.render({ opened, onClose: close })}</Fragment>,
  };
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
  change: { mutateAsync(input: Input): Promise<Output> };
  input: NoInfer<Input>;
  /** Says that it is done. */
  done: string | ((output: Output) => string);
  onDone?(output: Output): void;
  onFailed?(): void;
}

function ChangeForm<Input, Output>({ change, input, done, onDone, onFailed, ...props }: ChangeProps<Input, Output>) {
  const [state, setState] = useState<{ pending: boolean; error?: unknown }>({ pending: false });
  const confirm = async () => {
    setState({ pending: true });
    try {
      const output = await change.mutateAsync(input);
      props.onClose();
      notifyDone(typeof done === 'string' ? done : done(output));
      onDone?.(output);
    } catch (error) {
      setState({ pending: false, error });
      onFailed?.();
    }
  };
  return (
    <ConfirmForm
      {...props}
      onConfirm={() => void confirm()}
      pending={state.pending}
      error={state.error ?? props.error}
    />
  );
}

/**
 * Asks for confirmation of a change and carries it out. A change that failed leaves the modal open, which says why.
 */
export const ConfirmChange = <Input, Output>({ opened = true, ...props }: ChangeProps<Input, Output>) => (
  <Dialog opened={opened} onClose={props.onClose} title={props.title}>
    <ChangeForm {...props} />
  </Dialog>
);

interface NoteProps {
  hint: string;
  doneLabel: string;
  onDone(): void;
  children?: ReactNode;
}

/** Shows what is shown once, after a form has been sent. */
export function SecretNote({ hint, doneLabel, onDone, children }: NoteProps) {
  return (
    <Stack>
      {/* The element that had the focus was removed with the form. */}
      <div tabIndex={-1} ref={(element) => element?.focus()} style={{ outline: 'none' }}>
        <Text>{hint}</Text>
      </div>
      {children}
      <Group justify="flex-end">
        <Action onClick={onDone} label={doneLabel} />
      </Group>
    </Stack>
  );
}

interface SecretDialogProps<T> extends DialogState, Pick<NoteProps, 'hint' | 'doneLabel'> {
  title: string;
  /** Renders the form, which passes the secret to `onCreated`. */
  form(onCreated: (secret: T) => void): ReactNode;
  secretTitle: string;
  children(secret: T): ReactNode;
  /** By default, the dialog is closed. */
  onDone?(secret: T): void;
  formSize?: 'md' | 'lg';
}

/** Asks for what a secret needs, then shows it once. */
export function SecretDialog<T>({ opened, onClose, title, form, secretTitle, onDone, ...props }: SecretDialogProps<T>) {
  const { hint, doneLabel, formSize = 'lg', children } = props;
  const [secret, setSecret] = useState<{ value: T }>();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setSecret(undefined)}
      title={secret ? secretTitle : title}
      size={secret ? 'lg' : formSize}
      isPinned={secret !== undefined}
    >
      {secret ? (
        <SecretNote hint={hint} doneLabel={doneLabel} onDone={() => (onDone ? onDone(secret.value) : onClose())}>
          {children(secret.value)}
        </SecretNote>
      ) : (
        form((value) => setSecret({ value }))
      )}
    </Dialog>
  );
}
