import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconListSearch, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import type { ApiKey, KeyDetails } from '../../../../../src/features/keys/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { CopyIcon } from '../../../ui/CopyIcon.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { TimeText } from '../../../ui/figures.tsx';
import { LoadProblem } from '../../../ui/LoadProblem.tsx';
import { Page } from '../../../ui/Page.tsx';
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { useKey } from '../api.ts';
import { PermissionRequest } from '../KeyList.tsx';
import { PermissionBadges } from '../PermissionBadges.tsx';
import { RevokeModal } from '../RevokeModal.tsx';
import { RotateForm } from '../RotateForm.tsx';
import { SecretModal } from '../SecretModal.tsx';
import { texts as keysTexts } from '../texts.ts';
import { EditModal } from './EditModal.tsx';
import { texts } from './texts.ts';
import { UsageChart } from './UsageChart.tsx';

function About({ details }: { details: KeyDetails }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { key, createdBy, lastAddress } = details;
  const facts: Fact[] = [
    [
      t('username'),
      <Group key="username" gap={4} wrap="nowrap" component="span">
        <Code>{key.username}</Code>
        <CopyIcon value={key.username} label={t('copyUsername')} />
      </Group>,
    ],
    [
      t('permissions'),
      <div key="permissions">
        <PermissionBadges of={key.permissions} />
        <PermissionRequest apiKey={key} />
      </div>,
    ],
    [t('created'), <TimeText key="created" at={key.createdAt} exact />],
    [t('creator'), createdBy ?? t('operator')],
    [t('lastUsed'), key.lastUsedAt === null ? t('never') : <TimeText key="used" at={key.lastUsedAt} isRealTime />],
    [
      t('lastAddress'),
      <span key="address" title={t('lastAddressHint')}>
        {lastAddress ?? t('unknown')}
      </span>,
    ],
    [
      t('expires'),
      key.expiresAt === null ? t('never') : <TimeText key="expires" at={key.expiresAt} exact isRealTime />,
    ],
    ...(key.state !== 'active' || key.previousValidUntil === null
      ? []
      : [[t('previousPassword'), t('validUntil', { time: formats.time(key.previousValidUntil) })] as const]),
    ...(key.revokedAt === null
      ? []
      : [[t('revokedAt'), <TimeText key="revoked" at={key.revokedAt} exact isRealTime />] as const]),
  ];
  return (
    <Section title={t('about')}>
      <Facts facts={facts} labelWidth={150} />
    </Section>
  );
}

function Usage({ usage, username }: { usage: KeyDetails['usage']; username: string }) {
  const t = useTexts(texts);
  const maySeeRequests = useAbility('keys');
  const sum = (field: 'requests' | 'clientErrors' | 'serverErrors') =>
    usage.reduce((total, day) => total + day[field], 0);
  const count = sum('requests');
  const parts = [
    t('total', { count }),
    t('refused', { count: sum('clientErrors') }),
    t('failed', { count: sum('serverErrors') }),
  ];
  const toRequests = maySeeRequests && (
    <Button
      component={Link}
      to={`/requests?key=${username}`}
      size="compact-sm"
      variant="default"
      leftSection={<IconListSearch size={15} aria-hidden />}
    >
      {t('showRequests')}
    </Button>
  );
  return (
    <Section title={t('usage')} aside={toRequests}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {count === 0 ? t('unused') : `${t('usageDays')}: ${parts.join(', ')}`}
        </Text>
        {count > 0 && <UsageChart usage={usage} username={maySeeRequests ? username : undefined} />}
      </Stack>
    </Section>
  );
}

function Actions({ apiKey }: { apiKey: ApiKey }) {
  const t = useTexts(texts);
  const keys = useTexts(keysTexts);
  const [editing, edit] = useDisclosure(false);
  const [rotating, rotate] = useDisclosure(false);
  const [revoking, revoke] = useDisclosure(false);
  if (apiKey.state === 'revoked') return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={edit.open}>
        {t('edit')}
      </Button>
      {apiKey.state === 'active' && (
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={rotate.open}>
          {t('rotate')}
        </Button>
      )}
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={revoke.open}>
        {t('revoke')}
      </Button>
      <EditModal apiKey={apiKey} opened={editing} onClose={edit.close} />
      <SecretModal opened={rotating} onClose={rotate.close} title={keys('rotateTitle', { name: apiKey.name })}>
        {(onCreated) => <RotateForm apiKey={apiKey} onCreated={onCreated} onCancel={rotate.close} />}
      </SecretModal>
      <RevokeModal apiKey={apiKey} opened={revoking} onClose={revoke.close} />
    </>
  );
}

export function Component() {
  const t = useTexts(texts);
  const { username = '' } = useParams();
  const { data, error, refetch } = useKey(username);
  const mayChange = useAbility('keys');
  const parent = { title: t('keys'), to: '/keys' };
  if (data === undefined) {
    return (
      <Page title={t('title')} parents={[parent]}>
        {error ? (
          <LoadProblem error={error} onRetry={() => void refetch()} parent={parent} />
        ) : (
          <RowsSkeleton rows={10} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={data.key.name}
      parents={[parent]}
      aside={<StatusBadge of="keyState" word={data.key.state} />}
      actions={mayChange && <Actions apiKey={data.key} />}
    >
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <About details={data} />
        <Usage usage={data.usage} username={username} />
      </SimpleGrid>
    </Page>
  );
}
