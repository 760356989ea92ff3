import { Anchor, Card, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ApiKey } from '../../../../src/features/keys/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, ActionMenu, MenuAction } from '../../ui/Action.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { type Show, useDialog } from '../../ui/Dialog.tsx';
import { IconKey, IconPlus, IconRefresh, IconTrash } from '../../ui/icons.gen.ts';
import { Page, useIsWide } from '../../ui/layout.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Small, TimeText } from '../../ui/text.tsx';
import { useDecideOnKey, useKeys } from './api.ts';
import { NewKeyForm, RevokeModal, RotateModal, SecretModal } from './dialogs.tsx';
import { PermissionBadges, PermissionMeanings } from './permissions.tsx';
import { texts } from './texts.ts';

function KeyMenu({ apiKey, show }: { apiKey: ApiKey; show: Show }) {
  const { t } = useReader(texts);
  if (!useAbility('keys') || apiKey.state === 'revoked') return null;
  const open = (Modal: typeof RotateModal) => () => show((modal) => <Modal apiKey={apiKey} {...modal} />);
  return (
    <ActionMenu label={t('actionsOf', { name: apiKey.name })}>
      {apiKey.state === 'active' && (
        <MenuAction icon={IconRefresh} label={t('rotatePassword')} onClick={open(RotateModal)} />
      )}
      <MenuAction icon={IconTrash} label={t('revoke')} onClick={open(RevokeModal)} isDangerous />
    </ActionMenu>
  );
}

function KeyName({ apiKey: { name, username } }: { apiKey: ApiKey }) {
  const { t } = useReader(texts);
  return (
    <div>
      <Anchor component={Link} to={`/keys/${username}`} fw={600} className="breakable">
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

export function PermissionRequest({ apiKey }: { apiKey: ApiKey }) {
  const { t, words } = useReader(texts);
  const { name, username, permissions, requestedPermissions, state } = apiKey;
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

function useKeyTimes() {
  const { t } = useReader(texts);
  const time = (at: string | null, exact: boolean) =>
    at === null ? t('never') : <TimeText at={at} exact={exact} isRealTime />;
  return {
    lastUsed: ({ lastUsedAt }: ApiKey) => time(lastUsedAt, false),
    expires: ({ expiresAt }: ApiKey) => time(expiresAt, true),
  };
}

const Permissions = ({ apiKey }: { apiKey: ApiKey }) => (
  <>
    <PermissionBadges of={apiKey.permissions} />
    <PermissionRequest apiKey={apiKey} />
  </>
);

interface KeysProps {
  keys: readonly ApiKey[];
  show: Show;
}

function KeyTable({ keys, show }: KeysProps) {
  const { t } = useReader(texts);
  const { lastUsed, expires } = useKeyTimes();
  return (
    <Card padding={0}>
      <Rows
        label={t('keys')}
        rows={keys}
        rowKey={({ username }) => username}
        columns={[
          { header: t('key'), render: (key) => <KeyName apiKey={key} /> },
          { header: t('permissions'), cell: { maw: 330, miw: 290 }, render: (key) => <Permissions apiKey={key} /> },
          { header: t('lastUsed'), render: lastUsed },
          { header: t('expires'), render: expires },
          { header: t('states'), render: (key) => <KeyState apiKey={key} /> },
          {
            header: t('actions'),
            isHeaderHidden: true,
            align: 'right',
            render: (key) => <KeyMenu apiKey={key} show={show} />,
          },
        ]}
      />
    </Card>
  );
}

function KeyCards({ keys, show }: KeysProps) {
  const { t } = useReader(texts);
  const { lastUsed, expires } = useKeyTimes();
  return (
    <Stack component="ul" gap="sm" className="plain-list" aria-label={t('keys')}>
      {keys.map((key) => (
        <Card component="li" key={key.username} padding="md">
          <Stack gap="xs">
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <KeyName apiKey={key} />
              <KeyMenu apiKey={key} show={show} />
            </Group>
            <KeyState apiKey={key} />
            <Permissions apiKey={key} />
            <Small>
              {t('lastUsed')}: {lastUsed(key)} · {t('expires')}: {expires(key)}
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
function KeyList({ keys, show }: KeysProps) {
  const List = useIsWide('62em') ? KeyTable : KeyCards;
  const isActive = ({ state }: ApiKey) => state === 'active';
  return <List keys={keys.toSorted((a, b) => Number(isActive(b)) - Number(isActive(a)))} show={show} />;
}

export function Component() {
  const { t } = useReader(texts);
  const keys = useKeys();
  const mayCreate = useAbility('keys');
  const { show, dialog } = useDialog();
  const open = () =>
    show((modal) => (
      <SecretModal {...modal} title={t('newTitle')}>
        {(onCreated) => <NewKeyForm onCreated={onCreated} onCancel={modal.onClose} />}
      </SecretModal>
    ));
  const empty = (
    <EmptyState
      icon={IconKey}
      title={t('emptyTitle')}
      hint={t(mayCreate ? 'emptyHint' : 'keyForbidden')}
      actions={
        <>
          {mayCreate && <Action onClick={open} label={t('create')} />}
          <Action to="/getting-started" variant="default" label={t('gettingStarted')} />
        </>
      }
      inCard
    />
  );
  // Without any keys, the empty state contains the button.
  const create = mayCreate && keys.data?.length !== 0 && <Action icon={IconPlus} onClick={open} label={t('create')} />;
  return (
    <Page title={t('keys')} description={t('description')} actions={create}>
      <Query of={keys} rows={6} empty={empty}>
        {(list) => (
          <>
            <KeyList keys={list} show={show} />
            <PermissionMeanings />
          </>
        )}
      </Query>
      {dialog}
    </Page>
  );
}
