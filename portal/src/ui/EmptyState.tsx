import { Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { type Icon, IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** Describes what to do next. */
  hint?: ReactNode;
  icon?: Icon;
  /** Buttons or links to do so. */
  actions?: ReactNode;
}

export function EmptyState({ title, hint, icon: Picture = IconInbox, actions }: Props) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        <Picture size={24} stroke={1.6} />
      </ThemeIcon>
      <Text fw={600} mt={4}>
        {title}
      </Text>
      {hint && (
        <Text c="dimmed" size="sm" maw={460}>
          {hint}
        </Text>
      )}
      {actions && (
        <Group mt="xs" gap="xs" justify="center">
          {actions}
        </Group>
      )}
    </Stack>
  );
}
