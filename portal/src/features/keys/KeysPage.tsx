import { ActionIcon, Anchor, Button, Card, Code, Group, Menu, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconDots, IconKey, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ApiKey } from '../../../../src/features/keys/contract.ts';
import { useAbility } from '../../app/api/me.ts';

import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { StatusBadge } from '../../ui/badges.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
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
  const t = useTexts(texts);
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
          <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => onRotate(apiKey)}>
            {t('rotate')}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onRevoke(apiKey)}>
          {t('revoke')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function KeyName({ apiKey: { name, username } }: { apiKey: ApiKey }) {
  const t = useTexts(texts);
  return (
    <div>
      <Anchor component={Link} to={`/keys/${username}`} size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
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
  const t = useTexts(texts);
  const formats = useFormats();
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

/** Shows the permissions that wait for an admin, who decides here. */
export function PermissionRequest({
  apiKey: { name, username, permissions, requestedPermissions, state },
}: {
  apiKey: ApiKey;
}) {
  const t = useTexts(texts);
  const words = useWords();
  const mayDecide = useAbility('key-approvals');
  const decide = useDecideOnKey();
  if (requestedPermissions === null || state !== 'active') return null;
  const missing = requestedPermissions.filter((permission) => !permissions.includes(permission));
  const button = (isApproved: boolean) => (
    <Button
      size="compact-sm"
      variant={isApproved ? 'light' : 'default'}
      loading={decide.isPending && decide.variables.isApproved === isApproved}
      aria-label={t(isApproved ? 'approveOf' : 'rejectOf', { name })}
      onClick={() => decide.mutate({ username, permissions: requestedPermissions, isApproved })}
    >
      {t(isApproved ? 'approve' : 'reject')}
    </Button>
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
  const t = useTexts(texts);
  const time = (at: string | null, exact: boolean) =>
    at === null ? t('never') : <TimeText at={at} exact={exact} isRealTime />;
  return (
    <Card padding={0}>
      <Rows
        label={t('list')}
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
          { header: t('state'), render: (key) => <KeyState apiKey={key} /> },
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
  const t = useTexts(texts);
  return (
    <Stack component="ul" m={0} p={0} gap="sm" style={{ listStyle: 'none' }} aria-label={t('list')}>
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

/** Stores the key, so that the modal still names it while it closes. */
function useKeyModal() {
  const [key, setKey] = useState<ApiKey>();
  const [opened, { open, close }] = useDisclosure(false);
  const openFor = (next: ApiKey) => {
    setKey(next);
    open();
  };
  return { key, opened, openFor, close };
}

function Content({ keys, onCreate }: { keys: readonly ApiKey[]; onCreate(): void }) {
  const t = useTexts(texts);
  const mayCreate = useAbility('keys');
  const rotating = useKeyModal();
  const revoking = useKeyModal();
  if (keys.length === 0) {
    const actions = (
      <>
        {mayCreate && <Button onClick={onCreate}>{t('create')}</Button>}
        <Button component={Link} to="/getting-started" variant="default">
          {t('gettingStarted')}
        </Button>
      </>
    );
    return (
      <EmptyState
        icon={IconKey}
        title={t('emptyTitle')}
        hint={t(mayCreate ? 'emptyHint' : 'emptyHintViewer')}
        actions={actions}
        inCard
      />
    );
  }
  return (
    <>
      <KeyList keys={keys} onRotate={rotating.openFor} onRevoke={revoking.openFor} />
      <PermissionMeanings />
      {rotating.key && (
        <SecretModal
          opened={rotating.opened}
          onClose={rotating.close}
          title={t('rotateTitle', { name: rotating.key.name })}
        >
          {(onCreated) =>
            rotating.key && <RotateForm apiKey={rotating.key} onCreated={onCreated} onCancel={rotating.close} />
          }
        </SecretModal>
      )}
      {revoking.key && (
        <RevokeModal
          key={revoking.key.username}
          apiKey={revoking.key}
          opened={revoking.opened}
          onClose={revoking.close}
        />
      )}
    </>
  );
}

export function Component() {
  const t = useTexts(texts);
  const keys = useKeys();
  const mayCreate = useAbility('keys');
  const [opened, { open, close }] = useDisclosure(false);
  // Without any keys, the empty state contains the button.
  const create = mayCreate && keys.data?.length !== 0 && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={create}>
      <Query of={keys} rows={6}>
        {(list) => <Content keys={list} onCreate={open} />}
      </Query>
      <SecretModal opened={opened} onClose={close} title={t('newTitle')}>
        {(onCreated) => <NewKeyForm onCreated={onCreated} onCancel={close} />}
      </SecretModal>
    </Page>
  );
}
