import { ActionIcon, Box, Button, CopyButton, Group, Text, TextInput, Tooltip } from '@mantine/core';
import { useReader } from '../app/i18n/reader.ts';
import { IconCheck, IconCopy } from './icons.gen.ts';

/** Copies a value and confirms that visually and to screen readers. */
export function CopyIcon({ value, label }: { value: string; label?: string }) {
  const { t } = useReader();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const words = copied ? t('copied') : (label ?? t('copy'));
        return (
          <Tooltip label={words}>
            <ActionIcon variant="subtle" color={copied ? 'teal' : 'gray'} size="sm" onClick={copy} aria-label={words}>
              {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}

/** Renders a command or a piece of JSON that is ready to paste. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <Box pos="relative" component="figure" m={0} aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll it by keyboard. */}
      <pre className="code-block" tabIndex={0}>
        <code>{code}</code>
      </pre>
      <Box pos="absolute" top={0} right={0} pt={8} px={10} pb={4} className="code-copy">
        <CopyIcon value={code} />
      </Box>
    </Box>
  );
}

/** Renders a value to copy now. `once` adds the note that it is never shown again. */
export function Secret({ label, value, once = false }: { label: string; value: string; once?: boolean }) {
  const { t } = useReader();
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
