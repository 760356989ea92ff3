import { TextInput } from '@mantine/core';

interface Props {
  label: string;
  description?: string;
  value: string;
  onChange(name: string): void;
}

/** Asks for the name of a key, which must not be blank. */
export function NameField({ onChange, ...props }: Props) {
  return (
    <TextInput
      {...props}
      onChange={(event) => onChange(event.currentTarget.value)}
      required
      withAsterisk={false}
      pattern=".*\S.*"
      maxLength={100}
      autoComplete="off"
      data-autofocus
    />
  );
}
