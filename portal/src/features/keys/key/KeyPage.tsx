import { Code, Group, SimpleGrid, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import type { ApiKey, KeyDetails } from '../../../../../src/features/keys/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action } from '../../../ui/Action.tsx';
import { BarChart } from '../../../ui/BarChart.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { CopyIcon } from '../../../ui/copy.tsx';
import { useDialog } from '../../../ui/Dialog.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import type { Icon } from '../../../ui/icon.tsx';
import { IconListSearch, IconPencil, IconRefresh, IconTrash } from '../../../ui/icons.gen.ts';
import { Page, Section } from '../../../ui/layout.tsx';
import { Query } from '../../../ui/Query.tsx';
import { Hint, TimeText } from '../../../ui/text.tsx';
import { useKey } from '../api.ts';
import { EditModal, RevokeModal, RotateModal } from '../dialogs.tsx';
import { PermissionRequest } from '../KeysPage.tsx';
import { PermissionBadges } from '../permissions.tsx';
import { texts } from './texts.ts';

/** The days of which the log has the requests. */
const loggedDays = 7;

function About({ details }: { details: KeyDetails }) {
  const { t, formats } = useReader(texts);
  const { key, createdBy, lastAddress } = details;
  const facts: (Fact | false)[] = [
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
    key.state === 'active' &&
      key.previousValidUntil !== null && [
        t('previousPassword'),
        t('validUntil', { time: formats.time(key.previousValidUntil) }),
      ],
    key.revokedAt !== null && [t('revokedAt'), <TimeText key="revoked" at={key.revokedAt} exact isRealTime />],
  ];
  return <Facts title={t('about')} facts={facts} labelWidth={150} />;
}

function Usage({ usage, username }: { usage: KeyDetails['usage']; username: string }) {
  const { t, formats } = useReader(texts);
  const maySeeRequests = useAbility('keys');
  const sum = (field: 'requests' | 'clientErrors' | 'serverErrors') =>
    usage.reduce((total, day) => total + day[field], 0);
  const count = sum('requests');
  const parts = [
    t('total', { count }),
    t('refused', { count: sum('clientErrors') }),
    t('failed', { count: sum('serverErrors') }),
  ];
  /** A click opens the requests of the day, as long as the log has them. */
  const bars = usage.map(({ day, requests, clientErrors, serverErrors }, index) => ({
    id: formats.date(day),
    label: formats.shortDay(day),
    values: [requests - clientErrors - serverErrors, clientErrors, serverErrors],
    to:
      maySeeRequests && requests > 0 && index >= usage.length - loggedDays
        ? `/requests?key=${username}&from=${day}&to=${day}`
        : undefined,
  }));
  const toRequests = maySeeRequests && (
    <Action
      to={`/requests?key=${username}`}
      size="compact-sm"
      variant="default"
      leftSection={<IconListSearch size={15} aria-hidden />}
      label={t('showRequests')}
    />
  );
  return (
    <Section title={t('usage')} aside={toRequests}>
      <Stack gap="sm">
        <Hint>{count === 0 ? t('unused') : `${t('usageDays')}: ${parts.join(', ')}`}</Hint>
        {count > 0 && (
          <BarChart
            bars={bars}
            format={formats.number}
            series={[
              { label: t('succeeded'), colour: 'teal-6' },
              { label: t('clientErrors'), colour: 'orange-6' },
              { label: t('serverErrors'), colour: 'red-6' },
            ]}
          />
        )}
      </Stack>
    </Section>
  );
}

function Actions({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useReader(texts);
  const { show, dialog } = useDialog();
  if (apiKey.state === 'revoked') return null;
  const action = (icon: Icon, label: string, Modal: typeof EditModal) => (
    <Action
      variant="default"
      icon={icon}
      onClick={() => show((modal) => <Modal apiKey={apiKey} {...modal} />)}
      label={label}
    />
  );
  return (
    <>
      {action(IconPencil, t('edit'), EditModal)}
      {apiKey.state === 'active' && action(IconRefresh, t('rotatePassword'), RotateModal)}
      {action(IconTrash, t('revoke'), RevokeModal)}
      {dialog}
    </>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const { username = '' } = useParams();
  const query = useKey(username);
  const mayChange = useAbility('keys');
  const parent = { title: t('keys'), to: '/keys' };
  const key = query.data?.key;
  return (
    <Page
      title={key?.name ?? t('apiKey')}
      parents={[parent]}
      aside={key && <StatusBadge of="keyState" word={key.state} />}
      actions={mayChange && key && <Actions apiKey={key} />}
    >
      <Query of={query} parent={parent} rows={10}>
        {(details) => (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <About details={details} />
            <Usage usage={details.usage} username={username} />
          </SimpleGrid>
        )}
      </Query>
    </Page>
  );
}
