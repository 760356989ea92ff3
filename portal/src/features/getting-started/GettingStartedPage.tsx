import { Anchor, Button, Card, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { type Icon, IconAlertCircle, IconArrowsExchange, IconBook2 } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { HrIntegration } from '../../../../src/features/connectors/contract.ts';
import type { ApiKey } from '../../../../src/features/keys/contract.ts';
import { useAbility, useMe } from '../../app/api/me.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx';
import { Secret } from '../../ui/Secret.tsx';
import { Section } from '../../ui/Section.tsx';
import { useIntegrations } from '../connectors/api.ts';
import { useKeys } from '../keys/api.ts';
import { readySets } from '../keys/permission-sets.ts';
import { firstCall, readEmployees } from './examples.ts';
import { DoneNote, Step } from './Step.tsx';
import { SyncStep } from './SyncStep.tsx';
import { texts } from './texts.ts';

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
  const t = useTexts(texts);
  const mayCreate = useAbility('keys');
  return (
    <Step number={1} title={t('keyTitle')} isDone={isDone}>
      <Text size="sm">{t('keyText')}</Text>
      {isDone && <DoneNote>{t('keyDone')}</DoneNote>}
      {!isDone && !mayCreate && <Text size="sm">{t('keyForbidden')}</Text>}
      <Button component={Link} to="/keys" variant={isDone ? 'default' : 'filled'} w="fit-content">
        {t('keyAction')}
      </Button>
    </Step>
  );
}

function FurtherReading() {
  const t = useTexts(texts);
  const link = (href: string, title: string, hint: string, Picture: Icon) => (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Picture size={20} stroke={1.6} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <div>
        <Anchor href={href} target="_blank" size="sm" fw={600}>
          {title}
        </Anchor>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
    </Group>
  );
  return (
    <Section title={t('nextTitle')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {link('/docs/reference', t('reference'), t('referenceHint'), IconBook2)}
        {link('/docs/guides/sync-your-roster', t('guide'), t('guideHint'), IconArrowsExchange)}
        {link('/docs/errors', t('errors'), t('errorsHint'), IconAlertCircle)}
      </SimpleGrid>
    </Section>
  );
}

function Steps({ keys, integrations }: { keys: readonly ApiKey[]; integrations: readonly HrIntegration[] }) {
  const t = useTexts(texts);
  const formats = useFormats();
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
            <Text size="xs" c="dimmed" mt={4}>
              {t('baseUrlHint')}
            </Text>
            {otherApiUrl !== null && (
              <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
                {t(environment === 'staging' ? 'productionUrl' : 'stagingUrl', { url: otherApiUrl })}
              </Text>
            )}
          </div>
          <div>
            <Text size="sm" fw={600} mb={6} role="status">
              {t('progress', { done, all: ticks.length })}
            </Text>
            <Progress value={(done / ticks.length) * 100} color="teal" size="md" aria-hidden />
          </div>
        </SimpleGrid>
      </Card>
      <Stack component="ol" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
        <KeyStep isDone={reader.username !== undefined} />
        <Step number={2} title={t('callTitle')} isDone={lastUsed !== undefined}>
          <Text size="sm">{t('callText')}</Text>
          <CodeBlock label={t('callCode')} code={firstCall(reader)} />
          {lastUsed === undefined ? (
            <Text size="sm" c="dimmed">
              {t('callPending')}
            </Text>
          ) : (
            <DoneNote>{t('callDone', { time: formats.relative(lastUsed, true) })}</DoneNote>
          )}
          <Text size="sm">{t('callMore')}</Text>
          <CodeBlock label={t('callMoreCode')} code={readEmployees(reader)} />
        </Step>
        <SyncStep reader={reader} integration={integration} lastSynced={lastSynced} />
      </Stack>
      <FurtherReading />
    </Stack>
  );
}

export function Component() {
  const t = useTexts(texts);
  const keys = useKeys();
  const integrations = useIntegrations();
  const error = keys.error ?? integrations.error;
  const refetch = () => Promise.all([keys.refetch(), integrations.refetch()]);
  const isComplete =
    keys.data?.some(({ lastUsedAt }) => lastUsedAt !== null) === true &&
    integrations.data?.some(({ lastSynced }) => lastSynced !== null) === true;
  // Marks what the user does in a terminal as done while the page is open.
  useEffect(() => {
    if (isComplete || error) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      void keys.refetch();
      void integrations.refetch();
    }, liveMillis);
    return () => clearInterval(timer);
  }, [isComplete, error, keys.refetch, integrations.refetch]);
  return (
    <Page title={t('title')} description={t('description')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {keys.data && integrations.data ? (
        <Steps keys={keys.data} integrations={integrations.data} />
      ) : (
        !error && <RowsSkeleton rows={10} />
      )}
    </Page>
  );
}
