import { Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  /** Shown at the right end of the heading. */
  aside?: ReactNode;
  /** For tables and lists that extend to the edges. */
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

/** Renders a part of a page with its own heading. */
export function Section({ title, aside, flush = false, className, children }: Props) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} padding={flush ? 0 : 'lg'} className={className ?? ''}>
      <Group justify="space-between" gap="xs" mb="sm" {...(flush ? { px: 'lg', pt: 'lg' } : {})}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Card>
  );
}
