import { Badge, Box, Card, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Role } from '../../../../../src/domain/enums.ts';
import type { Users } from '../../../../../src/features/accounts/users/contract.ts';
import { useAbility, useMe } from '../../../app/api/me.ts';
import { useChange } from '../../../app/api/queries.ts';
import { at, remove } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, ActionMenu, MenuAction } from '../../../ui/Action.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { ConfirmChange, useDialog } from '../../../ui/Dialog.tsx';
import {
  IconLink,
  IconLogout,
  IconShieldOff,
  IconUserEdit,
  IconUserMinus,
  IconUserPlus,
} from '../../../ui/icons.gen.ts';
import { Page, PlainSection } from '../../../ui/layout.tsx';
import { Query, RoleGate } from '../../../ui/Query.tsx';
import { Rows } from '../../../ui/rows.tsx';
import { EmailText, Hint, Small, TimeText } from '../../../ui/text.tsx';
import { useUsers } from '../api.ts';
import { texts } from './texts.ts';
import {
  EndSessionsModal,
  InviteModal,
  RemoveModal,
  ResetFactorModal,
  ResetLinkModal,
  RolesModal,
  touched,
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
  const { t } = useReader(texts);
  const withdraw = useChange((id: number) => remove(at`/users/invitations/${id}`), touched);
  const { show, dialog } = useDialog();
  if (invitations.length === 0 && !dialog) return <Hint>{t('noInvitations')}</Hint>;
  const askToWithdraw = ({ id, email }: Invitation) =>
    show((modal) => (
      <ConfirmChange
        {...modal}
        change={withdraw}
        input={id}
        done={t('withdrawn', { email })}
        title={t('withdrawTitle')}
        confirmLabel={t('withdrawSubmit')}
        inWords={{ 'not-found': t('goneMeanwhile') }}
        danger
      >
        {t('withdrawText', { email })}
      </ConfirmChange>
    ));
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
              <Action
                size="compact-xs"
                variant="subtle"
                color="red"
                aria-label={t('withdrawOf', { email: invitation.email })}
                onClick={() => askToWithdraw(invitation)}
                label={t('withdraw')}
              />
            ),
          },
        ]}
      />
      {dialog}
    </Card>
  );
}

function UserMenu({ user, onChoose }: { user: User; onChoose(Modal: typeof RemoveModal): void }) {
  const { t } = useReader(texts);
  const item = (Modal: typeof RemoveModal, label: string, icon: typeof IconLink) => (
    <MenuAction icon={icon} label={label} onClick={() => onChoose(Modal)} isDangerous={Modal === RemoveModal} />
  );
  return (
    <ActionMenu label={t('actionsOf', { name: user.name })}>
      {item(RolesModal, t('changeRoles'), IconUserEdit)}
      {item(EndSessionsModal, t('endSessions'), IconLogout)}
      {!user.disabled && item(ResetLinkModal, t('resetLink'), IconLink)}
      {user.hasSecondFactor && item(ResetFactorModal, t('resetFactor'), IconShieldOff)}
      {item(RemoveModal, t('remove'), IconUserMinus)}
    </ActionMenu>
  );
}

function UsersTable({ users }: Pick<Users, 'users'>) {
  const { t } = useReader(texts);
  const own = useMe().data?.user.id;
  const { show, dialog } = useDialog();
  const lastSignIn = ({ lastSignInAt: at }: User) => (at === null ? t('never') : <TimeText at={at} isRealTime />);
  return (
    <Card padding={0}>
      <Rows
        label={t('users')}
        rows={users}
        rowKey={({ id }) => id}
        columns={[
          {
            header: t('user'),
            cell: { className: 'breakable' },
            render: (user) => (
              <>
                <Group gap={6}>
                  <Text fw={600}>{user.name}</Text>
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
              <UserMenu user={user} onChoose={(Modal) => show((modal) => <Modal user={user} {...modal} />)} />
            ),
          },
        ]}
      />
      {dialog}
    </Card>
  );
}

/** A separate component, so that the users are not requested for a role that may not see them. */
function Content() {
  const { t } = useReader(texts);
  return (
    <Query of={useUsers()} rows={6}>
      {({ users, invitations }) => (
        <>
          <UsersTable users={users} />
          <PlainSection title={t('invitations')}>
            <Invitations invitations={invitations} />
          </PlainSection>
        </>
      )}
    </Query>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const mayInvite = useAbility('users');
  const [opened, { open, close }] = useDisclosure(false);
  const invite = mayInvite && <Action icon={IconUserPlus} onClick={open} label={t('invite')} />;
  return (
    <Page title={t('users')} description={t('description')} actions={invite}>
      <RoleGate ability="users">
        <Content />
        <InviteModal opened={opened} onClose={close} />
      </RoleGate>
    </Page>
  );
}
