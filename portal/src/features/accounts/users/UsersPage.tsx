import { ActionIcon, Badge, Box, Button, Card, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconDots,
  IconLink,
  IconLogout,
  IconShieldOff,
  IconUserEdit,
  IconUserMinus,
  IconUserPlus,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { Role } from '../../../../../src/domain/enums.ts';
import type { Users } from '../../../../../src/features/accounts/users/contract.ts';
import { useAbility, useMe } from '../../../app/api/me.ts';

import { useTexts } from '../../../app/i18n/texts.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { ConfirmChange } from '../../../ui/Dialog.tsx';
import { Page } from '../../../ui/layout.tsx';
import { Query, RoleGate } from '../../../ui/Query.tsx';
import { Rows } from '../../../ui/table.tsx';
import { EmailText, Hint, Small, TimeText } from '../../../ui/text.tsx';
import { useUsers, useWithdrawInvitation } from './api.ts';
import { texts } from './texts.ts';
import {
  EndSessionsModal,
  InviteModal,
  RemoveModal,
  ResetFactorModal,
  ResetLinkModal,
  RolesModal,
  type User,
} from './UserModals.tsx';

const RoleBadges = ({ roles }: { roles: readonly Role[] }) => (
  <Group gap={4}>
    {roles.map((role) => (
      <StatusBadge key={role} of="role" word={role} />
    ))}
  </Group>
);

type Invitation = Users['invitations'][number];

function Invitations({ invitations }: Pick<Users, 'invitations'>) {
  const t = useTexts(texts);
  const withdraw = useWithdrawInvitation();
  const [chosen, setChosen] = useState<Invitation>();
  const [opened, { open, close }] = useDisclosure(false);
  if (invitations.length === 0 && !chosen) return <Hint>{t('noInvitations')}</Hint>;
  const expiry = ({ expiresAt }: Invitation) => <TimeText at={expiresAt} exact isRealTime />;
  return (
    <Card padding={0}>
      <Rows
        label={t('invitations')}
        rows={invitations}
        rowKey={({ id }) => id}
        columns={[
          {
            header: t('email'),
            cell: { className: 'breakable' },
            render: (invitation) => (
              <>
                <EmailText email={invitation.email} />
                <Box hiddenFrom="sm">
                  <Small mb={6}>
                    {t('expires')} {expiry(invitation)}
                  </Small>
                  <RoleBadges roles={invitation.roles} />
                </Box>
              </>
            ),
          },
          { header: t('roles'), wideOnly: true, render: ({ roles }) => <RoleBadges roles={roles} /> },
          { header: t('expires'), wideOnly: true, render: expiry },
          {
            header: t('actions'),
            isHeaderHidden: true,
            align: 'right',
            render: (invitation) => (
              <Button
                size="compact-xs"
                variant="subtle"
                color="red"
                aria-label={t('withdrawOf', { email: invitation.email })}
                onClick={() => {
                  setChosen(invitation);
                  open();
                }}
              >
                {t('withdraw')}
              </Button>
            ),
          },
        ]}
      />
      {chosen && (
        <ConfirmChange
          opened={opened}
          onClose={close}
          change={withdraw}
          input={chosen.id}
          done={t('withdrawn', { email: chosen.email })}
          title={t('withdrawTitle')}
          confirmLabel={t('withdrawSubmit')}
          inWords={{ 'not-found': t('goneMeanwhile') }}
          danger
        >
          {t('withdrawText', { email: chosen.email })}
        </ConfirmChange>
      )}
    </Card>
  );
}

const changes = {
  roles: RolesModal,
  sessions: EndSessionsModal,
  link: ResetLinkModal,
  factor: ResetFactorModal,
  remove: RemoveModal,
};
type Change = keyof typeof changes;

function UserMenu({ user, onChoose }: { user: User; onChoose(change: Change): void }) {
  const t = useTexts(texts);
  const item = (change: Change, label: string, Picture: typeof IconLink) => (
    <Menu.Item
      leftSection={<Picture size={16} aria-hidden />}
      onClick={() => onChoose(change)}
      {...(change === 'remove' ? { color: 'red' } : {})}
    >
      {label}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { name: user.name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {item('roles', t('changeRoles'), IconUserEdit)}
        {item('sessions', t('endSessions'), IconLogout)}
        {!user.disabled && item('link', t('resetLink'), IconLink)}
        {user.hasSecondFactor && item('factor', t('resetFactor'), IconShieldOff)}
        {item('remove', t('remove'), IconUserMinus)}
      </Menu.Dropdown>
    </Menu>
  );
}

function UsersTable({ users }: Pick<Users, 'users'>) {
  const t = useTexts(texts);
  const own = useMe().data?.user.id;
  const [chosen, setChosen] = useState<{ user: User; change: Change }>();
  const [opened, { open, close }] = useDisclosure(false);
  const lastSignIn = ({ lastSignInAt: at }: User) => (at === null ? t('never') : <TimeText at={at} isRealTime />);
  const Modal = chosen && changes[chosen.change];
  return (
    <Card padding={0}>
      <Rows
        label={t('list')}
        rows={users}
        rowKey={({ id }) => id}
        columns={[
          {
            header: t('user'),
            cell: { className: 'breakable' },
            render: (user) => (
              <>
                <Group gap={6}>
                  <Text size="sm" fw={600}>
                    {user.name}
                  </Text>
                  {user.id === own && (
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
                <Small>
                  <EmailText email={user.email} />
                </Small>
                <Box hiddenFrom="sm">
                  <Small mb={6}>
                    {t('lastSignIn')}: {lastSignIn(user)}
                  </Small>
                  <RoleBadges roles={user.roles} />
                </Box>
              </>
            ),
          },
          { header: t('roles'), wideOnly: true, render: ({ roles }) => <RoleBadges roles={roles} /> },
          { header: t('lastSignIn'), wideOnly: true, render: lastSignIn },
          {
            header: t('actions'),
            isHeaderHidden: true,
            align: 'right',
            render: (user) => (
              <UserMenu
                user={user}
                onChoose={(change) => {
                  setChosen({ user, change });
                  open();
                }}
              />
            ),
          },
        ]}
      />
      {Modal && (
        <Modal
          key={`${chosen.change} ${chosen.user.id} ${chosen.user.roles.join()}`}
          user={chosen.user}
          opened={opened}
          onClose={close}
        />
      )}
    </Card>
  );
}

/** A separate component, so that the users are not requested for a role that may not see them. */
function Content() {
  const t = useTexts(texts);
  return (
    <Query of={useUsers()} rows={6}>
      {({ users, invitations }) => (
        <>
          <UsersTable users={users} />
          <Stack component="section" gap="sm" aria-labelledby="invitations">
            <Title order={2} id="invitations">
              {t('invitations')}
            </Title>
            <Invitations invitations={invitations} />
          </Stack>
        </>
      )}
    </Query>
  );
}

export function Component() {
  const t = useTexts(texts);
  const mayInvite = useAbility('users');
  const [opened, { open, close }] = useDisclosure(false);
  const invite = mayInvite && (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
      {t('invite')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={invite}>
      <RoleGate ability="users">
        <Content />
        <InviteModal opened={opened} onClose={close} />
      </RoleGate>
    </Page>
  );
}
