import { ActionIcon, Badge, Box, Card, Group, Menu, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconDots, IconLink, IconLogout, IconShieldOff, IconUserEdit, IconUserMinus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMe } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { EmailText } from '../../../ui/EmailText.tsx';
import { TimeText } from '../../../ui/figures.tsx';
import { RemoveModal } from './RemoveModal.tsx';
import { ResetLinkModal } from './ResetLinkModal.tsx';
import { RoleBadges } from './RoleBadges.tsx';
import { texts } from './texts.ts';
import { EndSessionsModal, ResetFactorModal, RolesModal } from './UserModals.tsx';
import type { User } from './user.ts';

type Change = 'roles' | 'sessions' | 'link' | 'factor' | 'remove';

function UserMenu({ user, onChoose }: { user: User; onChoose(change: Change): void }) {
  const t = useTexts(texts);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { name: user.name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUserEdit size={16} aria-hidden />} onClick={() => onChoose('roles')}>
          {t('changeRoles')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => onChoose('sessions')}>
          {t('endSessions')}
        </Menu.Item>
        {!user.disabled && (
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => onChoose('link')}>
            {t('resetLink')}
          </Menu.Item>
        )}
        {user.hasSecondFactor && (
          <Menu.Item leftSection={<IconShieldOff size={16} aria-hidden />} onClick={() => onChoose('factor')}>
            {t('resetFactor')}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconUserMinus size={16} aria-hidden />} onClick={() => onChoose('remove')}>
          {t('remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function LastSignIn({ at }: { at: string | null }) {
  const t = useTexts(texts);
  return at === null ? t('never') : <TimeText at={at} isRealTime />;
}

function UserRow({ user, onChoose }: { user: User; onChoose(change: Change): void }) {
  const t = useTexts(texts);
  const isOwn = useMe().data?.user.id === user.id;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {user.name}
          </Text>
          {isOwn && (
            <Badge size="sm" color="gray">
              {t('you')}
            </Badge>
          )}
          {user.disabled && (
            <Badge size="sm" color="orange">
              {t('disabled')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <EmailText email={user.email} />
        </Text>
        <Box hiddenFrom="sm">
          <Text size="xs" c="dimmed" mb={6} component="div">
            {t('lastSignIn')}: <LastSignIn at={user.lastSignInAt} />
          </Text>
          <RoleBadges roles={user.roles} />
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <RoleBadges roles={user.roles} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <LastSignIn at={user.lastSignInAt} />
      </Table.Td>
      <Table.Td ta="right">
        <UserMenu user={user} onChoose={onChoose} />
      </Table.Td>
    </Table.Tr>
  );
}

export function UsersTable({ users }: { users: readonly User[] }) {
  const t = useTexts(texts);
  const [chosen, setChosen] = useState<{ user: User; change: Change }>();
  const [opened, setOpened] = useState(false);
  const modal = { opened, onClose: () => setOpened(false) };
  return (
    <Card padding={0}>
      <Table className="data-table" highlightOnHover aria-label={t('list')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('user')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('roles')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('lastSignIn')}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t('actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              onChoose={(change) => {
                setChosen({ user, change });
                setOpened(true);
              }}
            />
          ))}
        </Table.Tbody>
      </Table>
      {chosen?.change === 'roles' && (
        <RolesModal key={chosen.user.id + chosen.user.roles.join()} {...chosen} {...modal} />
      )}
      {chosen?.change === 'sessions' && <EndSessionsModal key={chosen.user.id} {...chosen} {...modal} />}
      {chosen?.change === 'link' && <ResetLinkModal key={chosen.user.id} {...chosen} {...modal} />}
      {chosen?.change === 'factor' && <ResetFactorModal key={chosen.user.id} {...chosen} {...modal} />}
      {chosen?.change === 'remove' && <RemoveModal key={chosen.user.id} {...chosen} {...modal} />}
    </Card>
  );
}
