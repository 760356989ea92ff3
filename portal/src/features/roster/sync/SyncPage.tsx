import { Alert, Card, Group, Progress, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { recordOutcomes } from '../../../../../src/domain/enums.ts';
import type { ExplainedSync, RemovalDecisionBody } from '../../../../../src/features/roster/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useChange, usePost } from '../../../app/api/queries.ts';
import { at, post } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, SmallAction } from '../../../ui/Action.tsx';
import { StatusBadge, SyncBadge, useSyncState } from '../../../ui/badges.tsx';
import { ConfirmChange } from '../../../ui/Dialog.tsx';
import { EffectsLine } from '../../../ui/effects/EffectsLine.tsx';
import { ExportRecords } from '../../../ui/exports/ExportRecords.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { IconAlertTriangle, IconCircleCheck } from '../../../ui/icons.gen.ts';
import { Page, PlainSection, Section } from '../../../ui/layout.tsx';
import { type ListState, useListState } from '../../../ui/list-state.ts';
import { MessageText } from '../../../ui/MessageText.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { EmptyState, Query } from '../../../ui/Query.tsx';
import { Counts, OutcomeFilter, RecordList } from '../../../ui/records/records.tsx';
import { Pager } from '../../../ui/table.tsx';
import { Duration, Hint, KeyName, TimeText, useStoredName } from '../../../ui/text.tsx';
import { Warnings } from '../../../ui/warnings/Warnings.tsx';
import {
  isRunning,
  touchedBySync,
  useIntegration,
  useReadAgainAfter,
  useRemovalEffects,
  useRequestPull,
  useSync,
  useSyncProgress,
  useSyncRecords,
} from '../../connectors/api.ts';
import { texts } from './texts.ts';

interface Props {
  integrationId: number;
  sync: ExplainedSync;
}

/** Renders how much of the roster was written. It is applied as a whole or not at all, when everything is written. */
function Running({ integrationId, sync }: Props) {
  const { t } = useReader(texts);
  const isWaiting = sync.state === 'accepted';
  const progress = useSyncProgress(integrationId, sync).data;
  const written = progress?.written ?? null;
  const part = written === null ? 100 : (written / Math.max(1, sync.entries)) * 100;
  return (
    <Card>
      <Stack gap="sm">
        <Group gap="sm">
          <StatusBadge of="syncState" word={sync.state} />
          <Text>{t(isWaiting ? 'accepted' : 'processing')}</Text>
        </Group>
        {written !== null && <Text>{t('written', { written, entries: sync.entries })}</Text>}
        <Progress value={isWaiting ? 15 : part} animated aria-label={t('progress')} />
      </Stack>
    </Card>
  );
}

/** Offers to apply the stored roster again. If it is no longer stored, says so and leads to its upload. */
function RetryPushed({ integrationId, sync }: Props) {
  const { t } = useReader(texts);
  const progress = useSyncProgress(integrationId, sync).data;
  const retry = useChange(
    () => post<void>(at`/integrations/${integrationId}/syncs/${sync.syncId}/retry`),
    [...touchedBySync, 'sync-progress'],
  );
  if (progress === undefined) return null;
  const isStored = progress.canRetry || retry.isPending;
  return (
    <>
      <Text>{t(isStored ? 'rosterStored' : 'rosterGone')}</Text>
      {isStored ? (
        <SmallAction onClick={() => retry.mutate()} loading={retry.isPending} label={t('retryStored')} />
      ) : (
        <SmallAction to={`/integrations/${integrationId}/upload`} label={t('retryUpload')} />
      )}
      <ProblemAlert error={retry.error} />
    </>
  );
}

function Retry({ integrationId, sync }: Props) {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const maySync = useAbility('syncs');
  const integration = useIntegration(integrationId).data;
  const request = useRequestPull(integrationId);
  if (!maySync || !integration?.canTriggerSync) return null;
  if (integration.type !== 'hr-integration') return <RetryPushed integrationId={integrationId} sync={sync} />;
  const onSuccess = () => {
    notifyDone(t('retryStarted'));
    return navigate(`/integrations/${integrationId}`);
  };
  return (
    <>
      <SmallAction
        onClick={() => request.mutate({ kind: 'manual' }, { onSuccess })}
        loading={request.isPending}
        label={t('retryPull')}
      />
      <ProblemAlert error={request.error} />
    </>
  );
}

function Failed({ integrationId, sync }: Props) {
  const { t } = useReader(texts);
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('failedTitle')}>
      <Stack gap={6}>
        <Text>{t(sync.state === 'failed' ? 'failedText' : 'authenticationFailedText')}</Text>
        {sync.reason !== null && (
          <Text style={{ overflowWrap: 'anywhere' }}>
            {t('failedReason')} <MessageText message={sync.message} detail={sync.reason} />
          </Text>
        )}
        <Group gap="xs">
          <Retry integrationId={integrationId} sync={sync} />
        </Group>
      </Stack>
    </Alert>
  );
}

// Loaded when the dialog is opened.
const RemovalChoice = lazy(async () => ({ default: (await import('./RemovalChoice.tsx')).RemovalChoice }));

type Decision = 'approved' | 'rejected';

/**
 * Renders removals pending approval. To offboard employees, the user types their number, so that it does not happen by
 * accident. To keep them changes nothing.
 */
function PendingRemovals({ integrationId, sync, onShow }: Props & { onShow(): void }) {
  const { t } = useReader(texts);
  const mayDecide = useAbility('removals');
  const [decision, setDecision] = useState<Decision>('approved');
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState<readonly number[] | null>(null);
  const count = sync.counts.held;
  const isApproval = decision === 'approved';
  const openModal = (next: Decision) => {
    setDecision(next);
    setChosen(null);
    setOpened(true);
  };
  const decided = isApproval && chosen !== null ? chosen.length : count;
  const path = at`/integrations/${integrationId}/syncs/${sync.syncId}/removals`;
  // Not for each of several ticks in a row.
  const [settled] = useDebouncedValue(chosen, 300);
  const effects = useRemovalEffects(integrationId, sync.syncId, settled, opened && isApproval);
  return (
    <Card component="section" className="waiting" aria-labelledby="held">
      <Stack gap="sm">
        <Title order={2} id="held">
          {t('heldTitle', { count })}
        </Title>
        <Text maw={720}>{t('heldText')}</Text>
        <Group gap="xs">
          {mayDecide && (
            <>
              <Action variant="default" onClick={() => openModal('approved')} label={t('approve')} />
              <Action variant="default" onClick={() => openModal('rejected')} label={t('reject')} />
            </>
          )}
          <Action variant="light" onClick={onShow} label={t('heldShow')} />
          {!mayDecide && <Hint>{t('mayNotDecide')}</Hint>}
        </Group>
      </Stack>
      <ConfirmChange
        opened={opened}
        onClose={() => setOpened(false)}
        change={usePost<void, RemovalDecisionBody>(path, touchedBySync)}
        input={{
          decision,
          confirm: decided,
          ...(isApproval && chosen !== null ? { employeeIds: [...chosen] } : {}),
        }}
        done={isApproval ? t('approved', { count: decided }) : t('rejected')}
        title={t(isApproval ? 'approveTitle' : 'rejectTitle', { count: decided })}
        confirmLabel={t(isApproval ? 'approveConfirm' : 'rejectConfirm')}
        {...(isApproval ? { typed: String(decided) } : {})}
        disabled={decided === 0}
        danger={isApproval}
      >
        <Stack gap="sm">
          {isApproval && decided > 0 && <EffectsLine effects={effects.data} />}
          {isApproval && (
            <Suspense fallback={<Skeleton height={120} />}>
              <RemovalChoice integrationId={integrationId} sync={sync} chosen={chosen} onChange={setChosen} />
            </Suspense>
          )}
          <span>
            {t(isApproval ? 'approveText' : 'rejectText')} {isApproval && <strong>{t('irreversible')}</strong>}
          </span>
        </Stack>
      </ConfirmChange>
    </Card>
  );
}

function Records({ integrationId, sync, list }: Props & { list: ListState }) {
  const { t } = useReader(texts);
  const outcomes = list.words('outcomes', recordOutcomes);
  const { page, perPage } = list;
  const records = useSyncRecords(integrationId, sync.syncId, { page, perPage, outcomes });
  const { data, isPlaceholderData } = records;
  const isFiltered = outcomes.length > 0;
  const filters = (
    <Group gap="sm">
      <OutcomeFilter
        label={t('outcomes')}
        counts={sync.counts}
        chosen={outcomes}
        onChange={(next) => list.set({ outcomes: next })}
      />
      {data?.total !== 0 && <ExportRecords integrationId={integrationId} syncId={sync.syncId} outcomes={outcomes} />}
    </Group>
  );
  return (
    <PlainSection title={t('changes')} hint={t('recordsHint')} id="records-section" aside={filters}>
      <Query of={records} rows={6}>
        {(page) =>
          page.total === 0 ? (
            <EmptyState
              icon={IconCircleCheck}
              title={t(isFiltered ? 'noMatch' : 'noRecords')}
              hint={t(isFiltered ? 'noMatchHint' : 'noRecordsHint')}
              inCard
            />
          ) : (
            <Card padding={0} opacity={isPlaceholderData ? 0.55 : 1} aria-busy={isPlaceholderData}>
              <RecordList records={page.data} label={t('changes')} />
              <Pager page={page} list={list} />
            </Card>
          )
        }
      </Query>
    </PlainSection>
  );
}

function About({ sync }: { sync: ExplainedSync }) {
  const { t, formats } = useReader(texts);
  const nameOf = useStoredName();
  const { keyName, pushedBy } = sync;
  const name = pushedBy.startsWith('connector ') ? t('byConnector') : nameOf(pushedBy);
  return (
    <Facts
      title={t('details')}
      facts={[
        [t('by'), keyName === null ? name : <KeyName key="by" name={keyName} username={pushedBy} />],
        [t('sent'), <TimeText key="sent" at={sync.acceptedAt} exact />],
        [t('started'), <TimeText key="started" at={sync.startedAt} exact />],
        [t('finished'), <TimeText key="finished" at={sync.finishedAt} exact />],
        [t('duration'), <Duration key="duration" millis={sync.durationMs} />],
        [t('entries'), formats.number(sync.entries)],
      ]}
    />
  );
}

function Decided({ sync }: { sync: ExplainedSync }) {
  const { t, words, formats } = useReader(texts);
  const nameOf = useStoredName();
  if (sync.heldRemovals === null || sync.heldRemovals === 'pending') return null;
  const state = words.approvalState[sync.heldRemovals];
  const by = sync.approvedBy ?? sync.rejectedBy;
  const at = sync.approvedAt ?? sync.rejectedAt;
  const isComplete = by !== null && at !== null;
  const text = isComplete
    ? t('heldDecidedBy', { state, by: nameOf(by), at: formats.time(at) })
    : t('heldDecided', { state });
  return <Hint mt="md">{text}</Hint>;
}

function Content({ integrationId, sync }: Props) {
  const { t, words } = useReader(texts);
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
      {running && <Running integrationId={integrationId} sync={sync} />}
      {nothingApplied && <Failed integrationId={integrationId} sync={sync} />}
      {sync.counts.failed > 0 && (
        <Alert color="orange" py="xs">
          <Group gap="xs" justify="space-between">
            <Text>{t('partlyText', { count: sync.counts.failed })}</Text>
            <SmallAction onClick={() => show('failed')} label={t('showFailed')} />
          </Group>
        </Alert>
      )}
      <Warnings warnings={sync.warnings} />
      {!nothingApplied && (
        <Section title={t('result')}>
          {running ? (
            <Hint>{t('recordsLater')}</Hint>
          ) : (
            <Stack gap="md">
              <EffectsLine effects={sync.effects} isDone />
              <Counts counts={sync.counts} />
            </Stack>
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
  const { t } = useReader(texts);
  const params = useParams();
  const id = Number(params.id);
  const syncId = params.syncId ?? '';
  const integration = useIntegration(id).data;
  const query = useSync(id, syncId);
  const sync = query.data;
  useReadAgainAfter(sync && isRunning(sync));
  const parent = { title: integration?.name ?? t('sync'), to: `/integrations/${id}` };
  return (
    <Page
      title={sync?.fileName ?? syncId}
      parents={[{ title: t('integrations'), to: '/integrations' }, parent]}
      aside={sync && <SyncBadge sync={sync} />}
    >
      <Query of={query} parent={parent} rows={10}>
        {(one) => <Content integrationId={id} sync={one} />}
      </Query>
    </Page>
  );
}
