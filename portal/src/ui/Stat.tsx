import { Card, Group, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  label: string;
  value: ReactNode;
  hint?: ReactNode;
  icon?: Icon;
}

/** Renders one figure with its label. */
export function Stat({ label, value, hint, icon: Picture }: Props) {
  return (
    <Card padding="md">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" c="dimmed" fw={500}>
          {label}
        </Text>
        {Picture && <Picture size={18} stroke={1.6} color="var(--mantine-color-dimmed)" aria-hidden />}
      </Group>
      <Text fz={22} fw={650} className="figures" mt={2} lh={1.3}>
        {value}
      </Text>
      {hint && (
        <Text size="xs" c="dimmed" mt={2}>
          {hint}
        </Text>
      )}
    </Card>
  );
}
