import { Divider, NavLink, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { Link, useLocation } from 'react-router';
import { IconExternalLink } from '../../ui/icons.gen.ts';
import { useReader } from '../i18n/reader.ts';
import { type PageEntry, usePageGroups } from './pages.ts';

const shape = { bdrs: 'md', py: 6 } as const;

function Entry({ page: { name, to, icon: Icon, isOutside }, onOpen }: { page: PageEntry; onOpen(): void }) {
  const { t } = useReader();
  const { pathname } = useLocation();
  const label = t(name);
  const leftSection = <Icon size={18} stroke={1.7} aria-hidden />;
  if (isOutside) {
    const rightSection = <IconExternalLink size={14} aria-hidden />;
    return (
      <NavLink {...shape} {...{ label, leftSection, rightSection }} component="a" href={to} target="_blank" fw={500} />
    );
  }
  const isActive = pathname === to || (to !== '/' && pathname.startsWith(`${to}/`));
  return (
    <NavLink
      {...shape}
      {...{ label, leftSection, to }}
      component={Link}
      fw={isActive ? 600 : 500}
      active={isActive}
      aria-current={pathname === to ? 'page' : undefined}
      onClick={onOpen}
    />
  );
}

export function Navigation({ onNavigate }: { onNavigate(): void }) {
  const { t } = useReader();
  return (
    <Stack component="nav" gap={2} aria-label={t('navigation')}>
      {usePageGroups().map(({ name, pages }) => (
        <Fragment key={name}>
          {name === null ? (
            <Divider my="xs" />
          ) : (
            <Text size="xs" fw={600} c="dimmed" px="sm" pt="xs" pb={2}>
              {t(name)}
            </Text>
          )}
          {pages.map((page) => (
            <Entry key={page.to} page={page} onOpen={onNavigate} />
          ))}
        </Fragment>
      ))}
    </Stack>
  );
}
