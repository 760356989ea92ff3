import { Card, Center, Group, Loader, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import type { Ability } from '../../../src/domain/roles.ts';
import { useAbility } from '../app/api/me.ts';
import { ApiProblem } from '../app/api/request.ts';
import { useReader } from '../app/i18n/reader.ts';
import { Action } from './Action.tsx';
import type { Icon } from './icon.tsx';
import { IconInbox, IconLock, IconMapQuestion } from './icons.gen.ts';
import { ProblemAlert } from './ProblemAlert.tsx';

/** `height`: about that of what comes, so that nothing below moves. */
export function Loading({ height = 200 }: { height?: number }) {
  const { t } = useReader();
  return (
    <Center mih={height} role="status" aria-label={t('loading')}>
      <Loader size="sm" />
    </Center>
  );
}

/** Loads the page of the current address anew, because another application shows it. */
export function Reload() {
  useEffect(() => window.location.reload(), []);
  return <Loading />;
}

/** Stands for a card with rows of text that are being loaded. */
export function RowsSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <Card aria-hidden>
      <Stack gap={18}>
        {Array.from({ length: rows }, (_, index) => (
          // The rows have no identity: they only fill the place of text.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <Skeleton key={index} height={14} width={`${92 - ((index * 17) % 40)}%`} />
        ))}
      </Stack>
    </Card>
  );
}

/** Stands for a page that is being loaded: its heading, and rows. */
export function PageSkeleton() {
  const { t } = useReader();
  return (
    <Stack gap="lg" maw={1240} mx="auto" role="status" aria-label={t('loading')}>
      <Skeleton height={28} width={220} />
      <RowsSkeleton />
    </Stack>
  );
}

interface EmptyProps {
  title: string;
  /** Describes what to do next. */
  hint?: ReactNode;
  icon?: Icon;
  /** Buttons or links to do so. */
  actions?: ReactNode;
  /** Whether it is a card of its own. */
  inCard?: boolean;
}

export function EmptyState({ title, hint, icon: Picture = IconInbox, actions, inCard = false }: EmptyProps) {
  const content = (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        <Picture size={24} stroke={1.6} />
      </ThemeIcon>
      <Text size="md" fw={600} mt={4}>
        {title}
      </Text>
      {hint && (
        <Text c="dimmed" maw={460}>
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
  return inCard ? <Card>{content}</Card> : content;
}

/** Hides a whole page from roles that may not use it. For single buttons use `useAbility`. */
export function RoleGate({ ability, children }: { ability: Ability; children: ReactNode }) {
  const { t } = useReader();
  if (useAbility(ability)) return children;
  return <EmptyState icon={IconLock} title={t('notAllowedTitle')} hint={t('notAllowed')} />;
}

/** Stands for an item that does not exist. */
function Missing({ title, to }: { title: string; to: string }) {
  const { t } = useReader();
  const action = <Action to={to} variant="light" label={title} />;
  return <EmptyState icon={IconMapQuestion} title={t('notFoundTitle')} hint={t('notFoundHint')} actions={action} />;
}

const isMissing = (error: unknown) =>
  error instanceof ApiProblem && (error.status === 404 || error.code === 'invalid-parameters');

interface Props<T> {
  of: { data: T | undefined; error: unknown; refetch(): unknown };
  /** Stands for the content while it is loaded. By default a card with this number of rows. */
  skeleton?: ReactNode;
  rows?: number;
  /** Whether something else has to be loaded first, because what comes late would move what is below it. */
  isWaiting?: boolean;
  /** The page that lists such items, for items that may not exist. */
  parent?: { title: string; to: string };
  /** Shown in place of a list without items. */
  empty?: ReactNode;
  children(data: T): ReactNode;
}

/** Renders what a query returned. Before that a skeleton, and if it failed the problem, with another try. */
export function Query<T>({ of: { data, error, refetch }, skeleton, isWaiting, parent, children, ...props }: Props<T>) {
  const { rows = 8, empty } = props;
  const isEmpty = empty !== undefined && Array.isArray(data) && data.length === 0;
  const isShown = data !== undefined && !isWaiting;
  if (parent && error && data === undefined && isMissing(error)) return <Missing {...parent} />;
  return (
    <>
      {!(parent && isShown) && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isShown ? (isEmpty ? empty : children(data)) : !error && (skeleton ?? <RowsSkeleton rows={rows} />)}
    </>
  );
}
