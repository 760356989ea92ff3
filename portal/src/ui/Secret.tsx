import { Button, CopyButton, Group, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCommonTexts } from '../app/i18n/common.ts';

/** Renders a value to copy now. `once` adds the note that it is never shown again. */
export function Secret({ label, value, once = false }: { label: string; value: string; once?: boolean }) {
  const t = useCommonTexts();
  return (
    <div>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={label}
          value={value}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              variant={copied ? 'light' : 'default'}
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            >
              {copied ? t('copied') : t('copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      {once && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('secretOnce')}
        </Text>
      )}
    </div>
  );
}
