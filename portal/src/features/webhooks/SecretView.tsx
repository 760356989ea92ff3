import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../app/i18n/texts.ts';
import { Secret } from '../../ui/Secret.tsx';
import { texts } from './texts.ts';

interface Props {
  secret: string;
  hint: string;
  onDone(): void;
  children?: ReactNode;
}

/** Shows the secret of an endpoint, once. */
export function SecretView({ secret, hint, onDone, children }: Props) {
  const t = useTexts(texts);
  return (
    <Stack>
      {/* The element that had the focus was removed with the form. */}
      <div tabIndex={-1} ref={(element) => element?.focus()} style={{ outline: 'none' }}>
        <Text size="sm">{hint}</Text>
      </div>
      <Secret label={t('secret')} value={secret} once />
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}
