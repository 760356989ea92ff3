import { Badge, Card, Code, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { useTexts } from '../../app/i18n/texts.ts';
import { texts } from './texts.ts';

/** Renders text between backticks as code. */
export function Inline({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order.
    index % 2 === 1 ? <Code key={index}>{part}</Code> : <Fragment key={index}>{part}</Fragment>,
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  children: ReactNode;
}

export function Step({ number, title, isDone, children }: StepProps) {
  const t = useTexts(texts);
  const id = `step-${number}`;
  return (
    <Card component="li" aria-labelledby={id}>
      <Group gap="sm" mb="sm" wrap="nowrap">
        <ThemeIcon
          radius="xl"
          size={30}
          variant={isDone ? 'filled' : 'light'}
          color={isDone ? 'teal.8' : 'rail'}
          aria-hidden
        >
          {isDone ? <IconCheck size={18} /> : <Text fw={700}>{number}</Text>}
        </ThemeIcon>
        <Title order={2} id={id} flex={1}>
          {title}
        </Title>
        <Badge color={isDone ? 'teal' : 'gray'}>{t(isDone ? 'done' : 'open')}</Badge>
      </Group>
      <Stack gap="sm">{children}</Stack>
    </Card>
  );
}

/** Renders a part of a step that has its own tick. */
export function Part({ title, isDone, children }: { title: string; isDone?: boolean; children: ReactNode }) {
  return (
    <Stack gap={6} mt={4}>
      <Group gap={6}>
        <Title order={3}>{title}</Title>
        {isDone && <Tick />}
      </Group>
      {children}
    </Stack>
  );
}

function Tick() {
  const t = useTexts(texts);
  return <IconCheck size={18} color="var(--mantine-color-teal-light-color)" role="img" aria-label={t('done')} />;
}

/** Renders what is known to be done. Also announces it to screen reader users, who do not see the tick. */
export function DoneNote({ children }: { children: ReactNode }) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" role="status">
      <IconCheck size={17} color="var(--mantine-color-teal-light-color)" aria-hidden style={{ flex: 'none' }} />
      <Text size="sm">{children}</Text>
    </Group>
  );
}
