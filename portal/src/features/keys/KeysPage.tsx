import { ActionIcon, Anchor, Card, Code, Group, Menu, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconDots, IconKey, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ApiKey } from '../../../../src/features/keys/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, MenuAction } from '../../ui/Action.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { useDialogFor } from '../../ui/Dialog.tsx';
import { Page } from '../../ui/layout.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { Rows } from '../../ui/table.tsx';
import { Small, TimeText } from '../../ui/text.tsx';
import { useDecideOnKey, useKeys } from './api.ts';
import { NewKeyForm, RevokeModal, RotateForm, SecretModal } from './dialogs.tsx';
import { PermissionBadges, PermissionMeanings } from './permissions.tsx';
import { texts } from './texts.ts';

interface Actions {
  onRotate(key: ApiKey): void;
  onRevoke(key: ApiKey): void;
}

function KeyMenu({ apiKey, onRotate, onRevoke }: { apiKey: ApiKey } & Actions) {
  const { t } = useReader(texts);
  if (!useAbility('keys') || apiKey.state === 'revoked') return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { name: apiKey.name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {apiKey.state === 'active' && (
          <MenuAction icon={IconRefresh} label={t('rotatePassword')} onClick={() => onRotate(apiKey)} />
        )}
        <MenuAction icon={IconTrash} label={t('revoke')} onClick={() => onRevoke(apiKey)} isDangerous />
      </Menu.Dropdown>
    </Menu>
  );
}

function KeyName({ apiKey: { name, username } }: { apiKey: ApiKey }) {
  const { t } = useReader(texts);
  return (
    <div>
      <Anchor component={Link} to={`/keys/${username}`} fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Anchor>
      <Group gap={4} wrap="nowrap">
        <Code fz="xs">{username}</Code>
        <CopyIcon value={username} label={t('copyUsername', { name })} />
      </Group>
    </div>
  );
}

function KeyState({ apiKey: { state, revokedAt, previousValidUntil } }: { apiKey: ApiKey }) {
  const { t, formats } = useReader(texts);
  return (
    <div>
      <StatusBadge of="keyState" word={state} />
      {state === 'active' && previousValidUntil !== null && (
        <Small mt={4} maw={170}>
          {t('overlap', { time: formats.time(previousValidUntil) })}
        </Small>
      )}
      {revokedAt !== null && <Small mt={4}>{formats.time(revokedAt)}</Small>}
    </div>
  );
}

export function PermissionRequest({
  apiKey: { name, username, permissions, requestedPermissions, state },
}: {
  apiKey: ApiKey;
}) {
  const { t, words } = useReader(texts);
  const mayDecide = useAbility('key-approvals');
  const decide = useDecideOnKey();
  if (requestedPermissions === null || state !== 'active') return null;
  const missing = requestedPermissions.filter((permission) => !permissions.includes(permission));
  const button = (isApproved: boolean) => (
    <Action
      size="compact-sm"
      variant={isApproved ? 'light' : 'default'}
      loading={decide.isPending && decide.variables.isApproved === isApproved}
      aria-label={t(isApproved ? 'approveOf' : 'rejectOf', { name })}
      onClick={() => decide.mutate({ username, permissions: requestedPermissions, isApproved })}
      label={t(isApproved ? 'approve' : 'reject')}
    />
  );
  return (
    <Stack gap={6} mt={6}>
      <Text size="xs">
        {t('requested', { permissions: missing.map((permission) => words.permission[permission]).join(', ') })}
      </Text>
      <ProblemAlert error={decide.error} />
      {mayDecide && (
        <Group gap="xs">
          {button(true)}
          {button(false)}
        </Group>
      )}
    </Stack>
  );
}

function KeyTable({ keys, ...actions }: { keys: readonly ApiKey[] } & Actions) {
  const { t } = useReader(texts);
  const time = (at: string | null, exact: boolean) =>
    at === null ? t('never') : <TimeText at={at} exact={exact} isRealTime />;
  return (
    <Card padding={0}>
      <Rows
        label={t('keys')}
        rows={keys}
        rowKey={({ username }) => username}
        columns={[
          { header: t('key'), render: (key) => <KeyName apiKey={key} /> },
          {
            header: t('permissions'),
            cell: { maw: 330, miw: 290 },
            render: (key) => (
              <>
                <PermissionBadges of={key.permissions} />
                <PermissionRequest apiKey={key} />
              </>
            ),
          },
          { header: t('lastUsed'), render: ({ lastUsedAt }) => time(lastUsedAt, false) },
          { header: t('expires'), render: ({ expiresAt }) => time(expiresAt, true) },
          { header: t('states'), render: (key) => <KeyState apiKey={key} /> },
          {
            header: t('actions'),
            isHeaderHidden: true,
            align: 'right',
            render: (key) => <KeyMenu apiKey={key} {...actions} />,
          },
        ]}
      />
    </Card>
  );
}

function KeyCards({ keys, ...actions }: { keys: readonly ApiKey[] } & Actions) {
  const { t } = useReader(texts);
  return (
    <Stack component="ul" m={0} p={0} gap="sm" style={{ listStyle: 'none' }} aria-label={t('keys')}>
      {keys.map((key) => (
        <Card component="li" key={key.username} padding="md">
          <Stack gap="xs">
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <KeyName apiKey={key} />
              <KeyMenu apiKey={key} {...actions} />
            </Group>
            <KeyState apiKey={key} />
            <PermissionBadges of={key.permissions} />
            <PermissionRequest apiKey={key} />
            <Small>
              {t('lastUsed')}: {key.lastUsedAt === null ? t('never') : <TimeText at={key.lastUsedAt} isRealTime />}
              {' · '}
              {t('expires')}: {key.expiresAt === null ? t('never') : <TimeText at={key.expiresAt} exact isRealTime />}
            </Small>
          </Stack>
        </Card>
      ))}
    </Stack>
  );
}

/**
 * Lists active keys first, each group newest first. Renders cards on phones, which have no room for a table of six
 * columns.
 */
function KeyList({ keys, ...actions }: { keys: readonly ApiKey[] } & Actions) {
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const sorted = [...keys.filter(({ state }) => state === 'active'), ...keys.filter(({ state }) => state !== 'active')];
  return isWide ? <KeyTable keys={sorted} {...actions} /> : <KeyCards keys={sorted} {...actions} />;
}

function Content({ keys, onCreate }: { keys: readonly ApiKey[]; onCreate(): void }) {
  const { t } = useReader(texts);
  const mayCreate = useAbility('keys');
  const rotating = useDialogFor<ApiKey>();
  const revoking = useDialogFor<ApiKey>();
  if (keys.length === 0) {
    const actions = (
      <>
        {mayCreate && <Action onClick={onCreate} label={t('create')} />}
        <Action to="/getting-started" variant="default" label={t('gettingStarted')} />
      </>
    );
    return (
      <EmptyState
        icon={IconKey}
        title={t('emptyTitle')}
        hint={t(mayCreate ? 'emptyHint' : 'keyForbidden')}
        actions={actions}
        inCard
      />
    );
  }
  return (
    <>
      <KeyList keys={keys} onRotate={rotating.openFor} onRevoke={revoking.openFor} />
      <PermissionMeanings />
      {rotating.chosen && (
        <SecretModal
          opened={rotating.opened}
          onClose={rotating.close}
          title={t('rotateTitle', { name: rotating.chosen.name })}
        >
          {(onCreated) =>
            rotating.chosen && <RotateForm apiKey={rotating.chosen} onCreated={onCreated} onCancel={rotating.close} />
          }
        </SecretModal>
      )}
      {revoking.chosen && (
        <RevokeModal
          key={revoking.chosen.username}
          apiKey={revoking.chosen}
          opened={revoking.opened}
          onClose={revoking.close}
        />
      )}
    </>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const keys = useKeys();
  const mayCreate = useAbility('keys');
  const [opened, { open, close }] = useDisclosure(false);
  // Without any keys, the empty state contains the button.
  const create = mayCreate && keys.data?.length !== 0 && <Action icon={IconPlus} onClick={open} label={t('create')} />;
  return (
    <Page title={t('keys')} description={t('description')} actions={create}>
      <Query of={keys} rows={6}>
        {(list) => <Content keys={list} onCreate={open} />}
      </Query>
      <SecretModal opened={opened} onClose={close} title={t('newTitle')}>
        {(onCreated) => <NewKeyForm onCreated={onCreated} onCancel={close} />}
      </SecretModal>
    </Page>
  );
}
