import { Group, List, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { Webhook } from '../../../../../src/features/webhooks/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { CopyIcon } from '../../../ui/CopyIcon.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { TimeText } from '../../../ui/figures.tsx';
import { LoadProblem } from '../../../ui/LoadProblem.tsx';
import { Page } from '../../../ui/Page.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { useTestWebhook, useWebhook } from '../api.ts';
import { healthOf } from '../health.ts';
import { LastDay } from '../LastDay.tsx';
import { Actions } from './Actions.tsx';
import { Deliveries } from './Deliveries.tsx';
import { DeliveryModal } from './DeliveryModal.tsx';
import { StateNotice } from './Notices.tsx';
import { Replay } from './Replay.tsx';
import { TestResult } from './TestResult.tsx';
import { texts } from './texts.ts';

function About({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts);
  const words = useWords();
  const formats = useFormats();
  const { id, url, eventTypes, description, createdAt, previousSecretUntil } = webhook;
  const events = (
    <List size="sm" listStyleType="none">
      {eventTypes.map((type) => (
        <List.Item key={type}>{words.eventType[type]}</List.Item>
      ))}
    </List>
  );
  const facts: Fact[] = [
    [
      t('url'),
      <Group key="url" gap={4} component="span" wrap="nowrap" align="flex-start">
        <span style={{ overflowWrap: 'anywhere' }}>{url}</span>
        <CopyIcon value={url} />
      </Group>,
    ],
    [t('id'), String(id)],
    ...(description === '' ? [] : [[t('note'), description] as const]),
    [t('events'), eventTypes.length === 0 ? t('allEvents') : events],
    [t('created'), <TimeText key="at" at={createdAt} exact isRealTime />],
    ...(previousSecretUntil === null
      ? []
      : [[t('previousSecret'), t('validUntil', { time: formats.time(previousSecretUntil) })] as const]),
  ];
  return (
    <Section title={t('about')}>
      <Facts facts={facts} labelWidth={130} />
    </Section>
  );
}

/** Stores the delivery, so that the modal still shows it while it closes. */
function useDeliveryModal() {
  const [sequence, setSequence] = useState<number>();
  const [opened, { open, close }] = useDisclosure(false);
  const show = (next: number) => {
    setSequence(next);
    open();
  };
  return { sequence, opened, show, close };
}

function Content({ webhook, testSequence, onTestClosed }: Props) {
  const t = useTexts(texts);
  const mayChange = useAbility('webhooks');
  const modal = useDeliveryModal();
  return (
    <>
      <StateNotice webhook={webhook} />
      {testSequence !== undefined && (
        <TestResult
          key={testSequence}
          webhookId={webhook.id}
          sequence={testSequence}
          onShow={() => modal.show(testSequence)}
          onClose={onTestClosed}
        />
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <About webhook={webhook} />
        <Section title={t('lastDay')}>
          <LastDay webhookId={webhook.id} hours={webhook.lastDay} height={120} />
        </Section>
      </SimpleGrid>
      <Deliveries
        webhookId={webhook.id}
        onShow={modal.show}
        aside={mayChange && webhook.state === 'enabled' && <Replay webhookId={webhook.id} />}
      />
      {modal.sequence !== undefined && (
        <DeliveryModal webhook={webhook} sequence={modal.sequence} opened={modal.opened} onClose={modal.close} />
      )}
    </>
  );
}

interface Props {
  webhook: Webhook;
  /** The test event that was sent last. */
  testSequence: number | undefined;
  onTestClosed(): void;
}

export function Component() {
  const t = useTexts(texts);
  const id = Number(useParams().id);
  const { data: webhook, error, refetch } = useWebhook(id);
  const mayChange = useAbility('webhooks');
  const test = useTestWebhook(id);
  const parent = { title: t('webhooks'), to: '/webhooks' };
  if (webhook === undefined) {
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
      title={webhook.description || new URL(webhook.url).host}
      parents={[parent]}
      aside={<StatusBadge of="webhookHealth" word={healthOf(webhook)} />}
      actions={
        mayChange && <Actions webhook={webhook} onTest={() => test.mutate(undefined)} isTesting={test.isPending} />
      }
    >
      <ProblemAlert error={test.error} inWords={{ 'webhook-disabled': t('isDisabled'), 'not-found': t('gone') }} />
      <Content webhook={webhook} testSequence={test.data?.sequence} onTestClosed={test.reset} />
    </Page>
  );
}
