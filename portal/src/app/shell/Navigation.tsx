import { Divider, NavLink, Stack } from '@mantine/core';
import {
  IconActivity,
  IconBook2,
  IconClockPlay,
  IconExternalLink,
  IconFileInvoice,
  IconFileSpreadsheet,
  IconFileText,
  IconHome2,
  IconKey,
  IconListSearch,
  IconPlugConnected,
  IconReceiptEuro,
  IconRocket,
  IconSettings,
  IconShieldLock,
  IconTimelineEvent,
  IconUserCog,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { useAbility, useMayTravel } from '../api/me.ts';
import { useReader } from '../i18n/reader.ts';

const icon = { size: 18, stroke: 1.7, 'aria-hidden': true } as const;
const shape = { bdrs: 'md', fw: 500 } as const;

export function Navigation({ onNavigate }: { onNavigate(): void }) {
  const { t } = useReader();
  const { pathname } = useLocation();
  const mayInvite = useAbility('users');
  const maySeeRequests = useAbility('keys');
  const maySet = useAbility('settings');
  const mayTravel = useMayTravel();
  const item = (to: string, label: string, Picture: typeof IconHome2) => {
    const isActive = pathname === to || (to !== '/' && pathname.startsWith(`${to}/`));
    return (
      <NavLink
        key={to}
        {...shape}
        {...(isActive ? { fw: 600 } : {})}
        component={Link}
        to={to}
        label={label}
        leftSection={<Picture {...icon} />}
        active={isActive}
        aria-current={pathname === to ? 'page' : undefined}
        onClick={onNavigate}
      />
    );
  };
  return (
    <Stack component="nav" gap={2} aria-label={t('navigation')}>
      {item('/', t('overview'), IconHome2)}
      {item('/employees', t('employees'), IconUsers)}
      {item('/integrations', t('integrations'), IconPlugConnected)}
      {item('/billing', t('billing'), IconReceiptEuro)}
      {item('/payroll', t('payroll'), IconFileSpreadsheet)}
      {item('/invoices', t('invoices'), IconFileInvoice)}
      {item('/documents', t('documents'), IconFileText)}
      {item('/keys', t('keys'), IconKey)}
      {maySeeRequests && item('/requests', t('requests'), IconListSearch)}
      {item('/webhooks', t('webhooks'), IconWebhook)}
      {item('/events', t('events'), IconTimelineEvent)}
      {item('/activity', t('activity'), IconActivity)}
      {mayInvite && item('/users', t('users'), IconUserCog)}
      {maySet && item('/settings', t('settings'), IconSettings)}
      {maySet && item('/sso', t('sso'), IconShieldLock)}
      <Divider my="xs" />
      {item('/getting-started', t('gettingStarted'), IconRocket)}
      <NavLink
        {...shape}
        component="a"
        href="/docs/reference"
        target="_blank"
        label={t('reference')}
        leftSection={<IconBook2 {...icon} />}
        rightSection={<IconExternalLink size={14} aria-hidden />}
      />
      {mayTravel && item('/time-travel', t('timeTravel'), IconClockPlay)}
    </Stack>
  );
}
