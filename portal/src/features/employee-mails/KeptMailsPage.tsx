import { Anchor, Badge, Card, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { KeptMails } from '../../../../src/features/employee-mails/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useGet } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { SmallAction } from '../../ui/Action.tsx';
import { IconExternalLink, IconMail } from '../../ui/icons.gen.ts';
import { Expander, Page } from '../../ui/layout.tsx';
import { EmptyState, Query, RoleGate } from '../../ui/Query.tsx';
import { Hint, Small, TimeText } from '../../ui/text.tsx';
import { texts } from './texts.ts';

type KeptMail = KeptMails['mails'][number];

function Mail({ employee, kind, subject, text, url, at, reason }: KeptMail) {
  const { t, words } = useReader(texts);
  return (
    <Card component="li" padding="md" style={{ listStyle: 'none' }}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div>
          <Text fw={600}>{subject}</Text>
          <Small>
            <Anchor component={Link} to={`/employees/${employee.id}`} inherit>
              {employee.name}
            </Anchor>{' '}
            · {employee.email} · {words.employeeMail[kind]} · <TimeText at={at} isRealTime />
          </Small>
        </div>
        <Badge color="gray" variant="light">
          {t(reason)}
        </Badge>
      </Group>
      <Group gap="xs" mt="xs" align="flex-start">
        {url !== null && (
          <SmallAction href={url} target="_blank" rel="noreferrer" icon={IconExternalLink} label={t('open')} />
        )}
        <Expander label={t('read')} name={t('readOf', { subject, name: employee.name })}>
          <Text
            component="pre"
            size="sm"
            mt="xs"
            ff="inherit"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {text}
          </Text>
        </Expander>
      </Group>
    </Card>
  );
}

function Mails() {
  const { t } = useReader(texts);
  return (
    <Query of={useGet<KeptMails>(['kept-mails'], '/kept-mails')} rows={6}>
      {({ total, mails }) =>
        mails.length === 0 ? (
          <EmptyState icon={IconMail} title={t('emptyTitle')} hint={t('emptyHint')} inCard />
        ) : (
          <Stack gap="sm">
            <Stack component="ul" gap="sm" m={0} p={0} aria-label={t('list')}>
              {mails.map((mail) => (
                <Mail key={`${mail.employee.id} ${mail.kind} ${mail.occasion}`} {...mail} />
              ))}
            </Stack>
            {total > mails.length && <Hint>{t('newest', { shown: mails.length, count: total })}</Hint>}
          </Stack>
        )
      }
    </Query>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const environment = useMe().data?.environment;
  return (
    <Page title={t('keptMails')} description={t('description')}>
      {environment === 'production' ? (
        <EmptyState icon={IconMail} title={t('productionTitle')} hint={t('productionHint')} inCard />
      ) : (
        <RoleGate ability="kept-mails">
          <Mails />
        </RoleGate>
      )}
    </Page>
  );
}
