import { Alert, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useParams } from 'react-router';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { Duration } from '../../../ui/Duration.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { TimeText } from '../../../ui/figures.tsx';
import { KeyName } from '../../../ui/KeyName.tsx';
import { LoadProblem } from '../../../ui/LoadProblem.tsx';
import { useListState } from '../../../ui/list-state.ts';
import { Page } from '../../../ui/Page.tsx';
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx';
import { Counts } from '../../../ui/records/Counts.tsx';
import { Section } from '../../../ui/Section.tsx';
import { SyncBadge, useSyncState } from '../../../ui/SyncBadge.tsx';
import { useStoredName } from '../../../ui/stored-name.ts';
import { Warnings } from '../../../ui/warnings/Warnings.tsx';
import { isRunning, useIntegration, useReadAgainAfter, useSync } from '../../connectors/api.ts';
import { PendingRemovals } from './PendingRemovals.tsx';
import { Records } from './Records.tsx';
import { State } from './State.tsx';
import { texts } from './texts.ts';

/** Names who sent a roster: a key with a link to its page, the HR system, or the user. */
function Pusher({ sync: { keyName, pushedBy } }: { sync: ExplainedSync }) {
  const t = useTexts(texts);
  const nameOf = useStoredName();
  if (keyName !== null) return <KeyName name={keyName} username={pushedBy} />;
  return pushedBy.startsWith('connector ') ? t('byConnector') : nameOf(pushedBy);
}

function About({ sync }: { sync: ExplainedSync }) {
  const t = useTexts(texts);
  const { number } = useFormats();
  return (
    <Section title={t('about')}>
      <Facts
        facts={[
          [t('by'), <Pusher key="by" sync={sync} />],
          [t('sent'), <TimeText key="sent" at={sync.acceptedAt} exact />],
          [t('started'), <TimeText key="started" at={sync.startedAt} exact />],
          [t('finished'), <TimeText key="finished" at={sync.finishedAt} exact />],
          [t('duration'), <Duration key="duration" millis={sync.durationMs} />],
          [t('entries'), number(sync.entries)],
        ]}
      />
    </Section>
  );
}

/** Renders the outcome of removals that required approval: who decided, and when. */
function Decided({ sync }: { sync: ExplainedSync }) {
  const t = useTexts(texts);
  const words = useWords();
  const { time } = useFormats();
  const nameOf = useStoredName();
  const { heldRemovals } = sync;
  if (heldRemovals === null || heldRemovals === 'pending') return null;
  const state = words.approvalState[heldRemovals];
  const name = sync.approvedBy ?? sync.rejectedBy;
  const by = name === null ? null : nameOf(name);
  const at = sync.approvedAt ?? sync.rejectedAt;
  const isComplete = by !== null && at !== null;
  return (
    <Text size="sm" c="dimmed" mt="md">
      {isComplete ? t('heldDecidedBy', { state, by, at: time(at) }) : t('heldDecided', { state })}
    </Text>
  );
}

function Content({ integrationId, sync }: { integrationId: number; sync: ExplainedSync }) {
  const t = useTexts(texts);
  const words = useWords();
  const describe = useSyncState();
  const list = useListState();
  const running = isRunning(sync);
  const nothingApplied = sync.state === 'failed' || sync.state === 'authentication-failed';
  const show = (outcome: 'held' | 'failed') => {
    list.set({ outcomes: [outcome] });
    document.getElementById('records-section')?.scrollIntoView();
  };
  return (
    <>
      <VisuallyHidden role="status">
        {running ? words.syncState[sync.state] : t('ended', { state: describe(sync) })}
      </VisuallyHidden>
      {sync.heldRemovals === 'pending' && (
        <PendingRemovals integrationId={integrationId} sync={sync} onShow={() => show('held')} />
      )}
      <State integrationId={integrationId} sync={sync} />
      {sync.counts.failed > 0 && (
        <Alert color="orange" py="xs">
          <Group gap="xs" justify="space-between">
            <Text size="sm">{t('partlyText', { count: sync.counts.failed })}</Text>
            <Button size="compact-sm" variant="default" onClick={() => show('failed')}>
              {t('showFailed')}
            </Button>
          </Group>
        </Alert>
      )}
      <Warnings warnings={sync.warnings} />
      {!nothingApplied && (
        <Section title={t('counts')}>
          {running ? (
            <Text size="sm" c="dimmed">
              {t('recordsLater')}
            </Text>
          ) : (
            <Counts counts={sync.counts} />
          )}
          <Decided sync={sync} />
        </Section>
      )}
      <About sync={sync} />
      {!running && !nothingApplied && <Records integrationId={integrationId} sync={sync} list={list} />}
    </>
  );
}

export function Component() {
  const t = useTexts(texts);
  const params = useParams();
  const id = Number(params.id);
  const syncId = params.syncId ?? '';
  const integration = useIntegration(id).data;
  const { data: sync, error, refetch } = useSync(id, syncId);
  useReadAgainAfter(sync && isRunning(sync));
  const parent = { title: integration?.name ?? t('title'), to: `/integrations/${id}` };
  return (
    <Page
      title={sync?.fileName ?? syncId}
      parents={[{ title: t('integrations'), to: '/integrations' }, parent]}
      aside={sync && <SyncBadge sync={sync} />}
    >
      {sync === undefined ? (
        error ? (
          <LoadProblem error={error} onRetry={() => void refetch()} parent={parent} />
        ) : (
          <RowsSkeleton rows={10} />
        )
      ) : (
        <Content integrationId={id} sync={sync} />
      )}
    </Page>
  );
}
