import { ActionIcon, Anchor, Button, Card, Code, Group, Menu, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDots, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ApiKey } from '../../../../src/features/keys/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { CopyIcon } from '../../ui/CopyIcon.tsx';
import { TimeText } from '../../ui/figures.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useDecideOnKey } from './api.ts';
import { PermissionBadges } from './PermissionBadges.tsx';
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
        <Text size="xs" c="dimmed" mt={4} maw={170}>
          {t('overlap', { time: formats.time(previousValidUntil) })}
        </Text>
      )}
      {revokedAt !== null && (
        <Text size="xs" c="dimmed" mt={4}>
          {formats.time(revokedAt)}
        </Text>
      )}
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
  return (
    <Card padding={0}>
      <Table className="data-table" highlightOnHover aria-label={t('list')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('key')}</Table.Th>
            <Table.Th>{t('permissions')}</Table.Th>
            <Table.Th>{t('lastUsed')}</Table.Th>
            <Table.Th>{t('expires')}</Table.Th>
            <Table.Th>{t('state')}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t('actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.username}>
              <Table.Td>
                <KeyName apiKey={key} />
              </Table.Td>
              <Table.Td maw={330} miw={290}>
                <PermissionBadges of={key.permissions} />
                <PermissionRequest apiKey={key} />
              </Table.Td>
              <Table.Td>{key.lastUsedAt === null ? t('never') : <TimeText at={key.lastUsedAt} isRealTime />}</Table.Td>
              <Table.Td>
                {key.expiresAt === null ? t('never') : <TimeText at={key.expiresAt} exact isRealTime />}
              </Table.Td>
              <Table.Td>
                <KeyState apiKey={key} />
              </Table.Td>
              <Table.Td ta="right">
                <KeyMenu apiKey={key} {...actions} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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
            <Text size="xs" c="dimmed" component="div">
              {t('lastUsed')}: {key.lastUsedAt === null ? t('never') : <TimeText at={key.lastUsedAt} isRealTime />}
              {' · '}
              {t('expires')}: {key.expiresAt === null ? t('never') : <TimeText at={key.expiresAt} exact isRealTime />}
            </Text>
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
export function KeyList({ keys, ...actions }: { keys: readonly ApiKey[] } & Actions) {
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const sorted = [...keys.filter(({ state }) => state === 'active'), ...keys.filter(({ state }) => state !== 'active')];
  return isWide ? <KeyTable keys={sorted} {...actions} /> : <KeyCards keys={sorted} {...actions} />;
}
