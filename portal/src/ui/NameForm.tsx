import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FormButtons } from './FormButtons.tsx';
import { ProblemAlert } from './ProblemAlert.tsx';

interface Props {
  label: string;
  description?: string;
  submitLabel: string;
  current?: string;
  change: { mutate(name: string): void; isPending: boolean; error: Error | null };
  onCancel(): void;
  children?: ReactNode;
}

/** Asks for a name in a dialog. */
export function NameForm({ label, description, submitLabel, current = '', change, onCancel, children }: Props) {
  const [text, setText] = useState(current);
  const name = text.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name !== '' && !change.isPending) change.mutate(name);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <TextInput
          label={label}
          description={description}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={100}
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
        />
        <ProblemAlert error={change.error} />
        <FormButtons submitLabel={submitLabel} pending={change.isPending} disabled={name === ''} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
