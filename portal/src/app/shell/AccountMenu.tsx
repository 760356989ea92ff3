import { ActionIcon, Avatar, Menu, Text } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import type { Me } from '../../../../src/portal/contract.ts';
import { useSignOut } from '../../features/accounts/api.ts';
import { IconDevicesOff, IconKey, IconLogout, IconUser } from '../../ui/icons.gen.ts';
import { useReader } from '../i18n/reader.ts';

const icon = { size: 16, 'aria-hidden': true } as const;

export function AccountMenu({ user }: { user: Me['user'] }) {
  const { t, words } = useReader();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const leave = (everywhere: boolean) => signOut.mutate({ everywhere }, { onSuccess: () => navigate('/sign-in') });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="transparent" size="lg" radius="xl" aria-label={`${t('account')}: ${user.name}`}>
          <Avatar size={32} color="rail" alt="" aria-hidden>
            <IconUser size={18} stroke={1.8} />
          </Avatar>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fw={600} c="var(--mantine-color-text)" truncate>
            {user.name}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
          <Text size="xs">{user.roles.map((role) => words.role[role]).join(', ')}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconKey {...icon} />}>
          {t('changePassword')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => leave(false)}>
          {t('signOut')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDevicesOff {...icon} />} onClick={() => leave(true)}>
          {t('signOutEverywhere')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
