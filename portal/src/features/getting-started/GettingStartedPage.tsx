import { Anchor, Badge, Card, Code, Group, Progress, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { HrIntegration } from '../../../../src/features/integrations/contract.ts';
import type { ApiKey } from '../../../../src/features/keys/contract.ts';
import { useAbility, useMe } from '../../app/api/me.ts';
import { guideAddress } from '../../app/guides.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, Notice } from '../../ui/Action.tsx';
import { CodeBlock, Secret } from '../../ui/copy.tsx';
import type { Icon } from '../../ui/icon.tsx';
import { IconAlertCircle, IconAlertTriangle, IconArrowsExchange, IconBook2, IconCheck } from '../../ui/icons.gen.ts';
import { Page, Section } from '../../ui/layout.tsx';
import { Query } from '../../ui/Query.tsx';
import { Hint, Small } from '../../ui/text.tsx';
import { useIntegrations } from '../connectors/api.ts';
import { useKeys } from '../keys/api.ts';
import { readySets } from '../keys/permission-sets.ts';
import { texts } from './texts.ts';

/**
 * The values in the commands that the user pastes into a terminal. The password stays a placeholder, because only the
 * user has it.
 */
interface Reader {
  apiUrl: string;
  /** The username of an active key, if there is one. */
  username: string | undefined;
  integrationId: number | undefined;
}

/** Returns a command. `options` are lines before the address. */
const curl = ({ apiUrl, username = 'USERNAME' }: Reader, path: string, options: readonly string[] = []) =>
  [`curl ${options.length > 0 ? '-i ' : ''}-u '${username}:PASSWORD'`, ...options, `'${apiUrl}${path}'`].join(
    ' \\\n  ',
  );

/** A file, because the preview and the sync take the same body. */
const rosterFile = `{
  "syncId": "first-roster",
  "employees": [
    {
      "hrId": "E-1001",
      "firstName": "Anna",
      "lastName": "Müller",
      "email": "anna.mueller@example.com",
      "startDate": "2024-02-01",
      "autoSyncEmployee": true,
      "absences": []
    }
  ]
}`;

const sync = (reader: Reader, query: string) =>
  curl(reader, `/hr-integrations/${reader.integrationId ?? 'INTEGRATION_ID'}/sync${query}`, [
    "-H 'Content-Type: application/json'",
    '--data-binary @roster.json',
  ]);

function Inline({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order.
    index % 2 === 1 ? <Code key={index}>{part}</Code> : <Fragment key={index}>{part}</Fragment>,
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  children: ReactNode;
}

function Step({ number, title, isDone, children }: StepProps) {
  const { t } = useReader(texts);
  const id = `step-${number}`;
  return (
    <Card component="li" aria-labelledby={id}>
      <Group gap="sm" mb="sm" wrap="nowrap">
        <ThemeIcon
          radius="xl"
          size={30}
          fw={700}
          variant={isDone ? 'filled' : 'light'}
          color={isDone ? 'teal.8' : 'rail'}
          aria-hidden
        >
          {isDone ? <IconCheck size={18} /> : number}
        </ThemeIcon>
        <Title order={2} id={id} flex={1}>
          {title}
        </Title>
        <Badge color={isDone ? 'teal' : 'gray'}>{t(isDone ? 'done' : 'open')}</Badge>
      </Group>
      <Stack gap="sm">{children}</Stack>
    </Card>
  );
}

interface PartProps {
  title: string;
  text: string;
  isDone?: boolean;
  children: ReactNode;
}

/** `text`: what is between backticks is code. */
function Part({ title, text, isDone, children }: PartProps) {
  const { t } = useReader(texts);
  return (
    <Stack gap={6} mt={4}>
      <Group gap={6}>
        <Title order={3}>{title}</Title>
        {isDone && (
          <IconCheck size={18} color="var(--mantine-color-teal-light-color)" role="img" aria-label={t('done')} />
        )}
      </Group>
      <Text>
        <Inline text={text} />
      </Text>
      {children}
    </Stack>
  );
}

/** Renders what is known to be done. Also announces it to screen reader users, who do not see the tick. */
function DoneNote({ children }: { children: ReactNode }) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" role="status">
      <IconCheck size={17} color="var(--mantine-color-teal-light-color)" aria-hidden style={{ flex: 'none' }} />
      <Text>{children}</Text>
    </Group>
  );
}

interface Props {
  reader: Reader;
  /** The integration that the examples push to. */
  integration: HrIntegration | undefined;
  lastSynced: string | undefined;
}

function SyncStep({ reader, integration, lastSynced }: Props) {
  const { t, formats } = useReader(texts);
  return (
    <Step number={3} title={t('syncRoster')} isDone={lastSynced !== undefined}>
      <Text>{t('syncText')}</Text>
      {integration && (
        <Group gap={6}>
          <Hint>{t('uploadHint')}</Hint>
          <Anchor component={Link} to={`/integrations/${integration.id}/upload`}>
            {t('upload')}
          </Anchor>
        </Group>
      )}
      {lastSynced !== undefined && <DoneNote>{t('pushDone', { time: formats.relative(lastSynced) })}</DoneNote>}
      <Part
        title={t('integration')}
        text={
          integration
            ? t('integrationDone', { name: integration.name, id: String(integration.id) })
            : t('integrationOpen')
        }
        isDone={integration !== undefined}
      >
        <Action to="/integrations" variant="default" w="fit-content" size="compact-sm" label={t('toIntegrations')} />
      </Part>
      <Notice color="orange" role="note" icon={<IconAlertTriangle size={18} />} py="xs" text={t('warning')} />
      <Part title={t('rosterTitle')} text={t('rosterText')}>
        <CodeBlock label={t('rosterTitle')} code={rosterFile} />
      </Part>
      <Part title={t('preview')} text={`${t('previewText')} ${t('permissionsHint')}`}>
        <CodeBlock label={t('previewCode')} code={sync(reader, '?dryRun=true')} />
      </Part>
      <Part title={t('sync')} text={t('pushText')} isDone={lastSynced !== undefined}>
        <CodeBlock label={t('pushCode')} code={sync(reader, '')} />
      </Part>
    </Step>
  );
}

const liveMillis = 4_000;

const latest = (times: readonly (string | null)[]) =>
  times
    .filter((time) => time !== null)
    .sort()
    .at(-1);

/** Returns a key with all permissions of the steps, if there is one, otherwise any active key. */
const pickKey = (keys: readonly ApiKey[]) => {
  const working = keys.filter(({ state }) => state === 'active');
  return working.find(({ permissions }) => readySets.hrSync.every((one) => permissions.includes(one))) ?? working[0];
};

/** Returns an integration that was never synced, if there is one, so that the example removes no employees. */
const pickIntegration = (integrations: readonly HrIntegration[]) => {
  const ready = integrations.filter(({ type, canTriggerSync }) => type === 'api-integration' && canTriggerSync);
  return ready.find(({ lastSynced }) => lastSynced === null) ?? ready[0];
};

function KeyStep({ isDone }: { isDone: boolean }) {
  const { t } = useReader(texts);
  const mayCreate = useAbility('keys');
  return (
    <Step number={1} title={t('keyTitle')} isDone={isDone}>
      <Text>{t('keyText')}</Text>
      {isDone && <DoneNote>{t('keyDone')}</DoneNote>}
      {!isDone && !mayCreate && <Text>{t('keyForbidden')}</Text>}
      <Action to="/keys" variant={isDone ? 'default' : 'filled'} w="fit-content" label={t('toKeys')} />
    </Step>
  );
}

function FurtherReading() {
  const { t } = useReader(texts);
  const { language } = useLanguage();
  const link = (href: string, title: string, hint: string, Picture: Icon) => (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Picture size={20} stroke={1.6} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <div>
        <Anchor href={href} target="_blank" fw={600}>
          {title}
        </Anchor>
        <Hint>{hint}</Hint>
      </div>
    </Group>
  );
  return (
    <Section title={t('nextTitle')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {link('/docs/reference', t('reference'), t('referenceHint'), IconBook2)}
        {link(guideAddress('sync-your-roster', language), t('syncRoster'), t('guideHint'), IconArrowsExchange)}
        {link('/docs/errors', t('errors'), t('errorsHint'), IconAlertCircle)}
      </SimpleGrid>
    </Section>
  );
}

function Steps({ keys, integrations }: { keys: readonly ApiKey[]; integrations: readonly HrIntegration[] }) {
  const { t, formats } = useReader(texts);
  const { apiUrl = '', otherApiUrl = null, environment = 'staging' } = useMe().data ?? {};
  const integration = pickIntegration(integrations);
  const reader = { apiUrl, username: pickKey(keys)?.username, integrationId: integration?.id };
  const lastUsed = latest(keys.map(({ lastUsedAt }) => lastUsedAt));
  const lastSynced = latest(integrations.map((one) => one.lastSynced));
  const ticks = [reader.username, lastUsed, lastSynced].map((value) => value !== undefined);
  const done = ticks.filter(Boolean).length;
  return (
    <Stack gap="lg">
      <Card padding="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'center' }}>
          <div>
            <Secret label={t('baseUrl')} value={apiUrl} />
            <Small mt={4}>{t('baseUrlHint')}</Small>
            {otherApiUrl !== null && (
              <Small mt={4} className="breakable">
                {t(environment === 'staging' ? 'productionUrl' : 'stagingUrl', { url: otherApiUrl })}
              </Small>
            )}
          </div>
          <div>
            <Text fw={600} mb={6} role="status">
              {t('progress', { done, all: ticks.length })}
            </Text>
            <Progress value={(done / ticks.length) * 100} color="teal" size="md" aria-hidden />
          </div>
        </SimpleGrid>
      </Card>
      <Stack component="ol" gap="lg" className="plain-list">
        <KeyStep isDone={reader.username !== undefined} />
        <Step number={2} title={t('callTitle')} isDone={lastUsed !== undefined}>
          <Text>{t('callText')}</Text>
          <CodeBlock label={t('callCode')} code={curl(reader, '/me')} />
          {lastUsed === undefined ? (
            <Hint>{t('callPending')}</Hint>
          ) : (
            <DoneNote>{t('callDone', { time: formats.relative(lastUsed, true) })}</DoneNote>
          )}
          <Text>{t('callMore')}</Text>
          <CodeBlock label={t('callMoreCode')} code={curl(reader, '/employees?perPage=5')} />
        </Step>
        <SyncStep reader={reader} integration={integration} lastSynced={lastSynced} />
      </Stack>
      <FurtherReading />
    </Stack>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const keys = useKeys();
  const integrations = useIntegrations();
  const error = keys.error ?? integrations.error;
  const data = keys.data && integrations.data && { keys: keys.data, integrations: integrations.data };
  const refetch = () => Promise.all([keys.refetch(), integrations.refetch()]);
  const isComplete =
    data?.keys.some(({ lastUsedAt }) => lastUsedAt !== null) === true &&
    data.integrations.some(({ lastSynced }) => lastSynced !== null);
  // Marks what the user does in a terminal as done while the page is open.
  useInterval(
    () => {
      if (!isComplete && !error && document.visibilityState === 'visible') void refetch();
    },
    liveMillis,
    { autoInvoke: true },
  );
  return (
    <Page title={t('gettingStarted')} description={t('description')}>
      <Query of={{ data, error, refetch }} rows={10}>
        {(loaded) => <Steps {...loaded} />}
      </Query>
    </Page>
  );
}
