import { Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  /** At the right end of the heading. */
  aside?: ReactNode;
  /** For tables and lists that reach the edges. */
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
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
