import { Alert, Card, Checkbox, Group, Loader, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type PullSchedule, pullSchedules } from '../../../../../src/domain/enums.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, Notice } from '../../../ui/Action.tsx';
import { Hint } from '../../../ui/text.tsx';
import { texts } from './texts.ts';
import './set-up.css';
import { useEffect, useRef, useState } from 'react';
import { useMe } from '../../../app/api/me.ts';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { IconCheck } from '../../../ui/icons.gen.ts';
import { PlainSection, Section } from '../../../ui/layout.tsx';
import { MessageText } from '../../../ui/MessageText.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { PullProgress } from '../../../ui/pull/PullProgress.tsx';
import { ConfirmReactivation, countChanges, PreviewOutcome, RecordList } from '../../../ui/records/records.tsx';
import { isPulling, useConnectionCheck, usePull, useRequestPull } from '../api.ts';
import { ConnectionProblems } from './credentials.tsx';

const labels = {
  credentials: 'stepCredentials',
  check: 'connectionTest',
  mapping: 'mapping',
  preview: 'preview',
  schedule: 'schedule',
} as const;
export type Step = keyof typeof labels;
export const allSteps = Object.keys(labels) as Step[];

export function Steps({ current }: { current: Step }) {
  const { t } = useReader(texts);
  const index = allSteps.indexOf(current);
  return (
    <nav aria-label={t('steps')}>
      <Hint mb={4}>{t('progress', { step: index + 1, total: allSteps.length })}</Hint>
      <ol className="steps">
        {allSteps.map((step, position) => (
          <Text
            key={step}
            component="li"
            c={position === index ? 'inherit' : 'dimmed'}
            {...(position === index ? { 'aria-current': 'step' as const } : {})}
          >
            {position + 1}. {t(labels[step])}
          </Text>
        ))}
      </ol>
    </nav>
  );
}

interface StepProps {
  integrationId: number;
  /** What people call the HR system. */
  title: string;
  onNext(): void;
  /** Returns to the step whose values may be wrong. */
  onBack(): void;
}

/** Tests the stored credentials, and names each missing permission. */
export function CheckStep({ integrationId, title, onNext, onBack }: StepProps) {
  const { t } = useReader(texts);
  const { data, error, isFetching, refetch } = useConnectionCheck(integrationId, true);
  const isOk = data?.problems.length === 0;
  return (
    <Section title={t('connectionTest')}>
      <Stack>
        {isFetching ? (
          <Group gap="xs" role="status">
            <Loader size="sm" aria-hidden />
            <Text>{t('checking')}</Text>
          </Group>
        ) : (
          <>
            <ProblemAlert error={error} onRetry={() => void refetch()} />
            {isOk && (
              <Notice
                color="teal"
                icon={<IconCheck size={18} />}
                role="status"
                text={t('checkOk', { count: data.fields.length })}
              />
            )}
            {data !== undefined && !isOk && (
              <ConnectionProblems problems={data.problems} provider={title} note={t('checkFix')} />
            )}
          </>
        )}
        <Group gap="xs">
          {data !== undefined && (
            <Action onClick={onNext} disabled={isFetching} variant={isOk ? 'filled' : 'default'} label={t('next')} />
          )}
          <Action
            variant={isOk ? 'default' : 'filled'}
            onClick={() => void refetch()}
            disabled={isFetching}
            label={t('checkAgain')}
          />
          <Action variant="subtle" onClick={onBack} disabled={isFetching} label={t('otherCredentials')} />
        </Group>
      </Stack>
    </Section>
  );
}

/** Reads the roster without applying it, and shows what a sync would do. */
export function PreviewStep({ integrationId, title, onNext, onBack }: StepProps) {
  const { t } = useReader(texts);
  const request = useRequestPull(integrationId);
  const { data: pull, error } = usePull(integrationId, request.data?.id);
  const { mutate } = request;
  const isStarted = useRef(false);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    mutate({ kind: 'preview' });
  }, [mutate]);
  const again = () => mutate({ kind: 'preview' });
  const isRunning = request.isPending || (request.data !== undefined && (pull === undefined || isPulling(pull)));
  const failed = pull !== undefined && !isPulling(pull) && pull.state !== 'read' ? pull : undefined;
  const preview = isRunning ? null : pull?.preview;
  const [shown, count] = preview ? [preview.records.length, countChanges(preview.counts)] : [0, 0];
  return (
    <>
      <Section title={t('preview')}>
        <Stack>
          {!preview && <Hint>{t('previewHint')}</Hint>}
          <ProblemAlert error={request.error ?? error} onRetry={again} />
          {isRunning && <PullProgress pull={pull} provider={title} />}
          {!isRunning && failed !== undefined && (
            <Alert color="red" role="alert" title={t('failedTitle')}>
              <Text style={{ overflowWrap: 'anywhere' }}>
                <MessageText message={failed.message} detail={failed.reason ?? ''} />
              </Text>
            </Alert>
          )}
          {preview && (
            <Stack gap="md">
              <PreviewOutcome
                preview={preview}
                summary={`${t('entries', { count: preview.entries })} ${count === 0 ? t('nothing') : ''}`}
                held={t('held', { count: preview.counts.held })}
              />
            </Stack>
          )}
          <Group gap="xs">
            <Action
              onClick={() => ((pull?.preview?.reactivated ?? 0) > 0 ? setAsking(true) : onNext())}
              disabled={isRunning || pull?.state !== 'read'}
              label={t('next')}
            />
            <Action variant="default" onClick={onBack} disabled={isRunning} label={t('changeMapping')} />
            <Action variant="default" onClick={again} disabled={isRunning} label={t('retry')} />
          </Group>
        </Stack>
      </Section>
      {shown > 0 && (
        <PlainSection title={t('records')} hint={shown < count && t('firstRecords', { shown, count })}>
          <Card padding={0}>
            <RecordList records={preview?.records ?? []} label={t('records')} />
          </Card>
        </PlainSection>
      )}
      {pull?.preview && (
        <ConfirmReactivation
          preview={pull.preview}
          opened={isAsking}
          onClose={() => setAsking(false)}
          onConfirm={onNext}
        />
      )}
    </>
  );
}

export interface Scheduled {
  nightlyTime: string;
  every: PullSchedule;
  syncNow: boolean;
}

interface ScheduleStepProps {
  initial: Omit<Scheduled, 'syncNow'>;
  /** Whether this finishes the set-up. Otherwise only the time changes. */
  isLast: boolean;
  change: {
    mutateAsync(given: Scheduled): Promise<unknown>;
    isPending: boolean;
    error: Error | null;
  };
  onBack(): void;
}

export function ScheduleStep({ initial, isLast, change, onBack }: ScheduleStepProps) {
  const { t, words } = useReader(texts);
  const zone = useMe().data?.company.timeZone ?? '';
  const form = useChangeForm({
    initial: { ...initial, syncNow: true },
    change,
    input: ({ nightlyTime, every, syncNow }) => ({ nightlyTime, every, syncNow: isLast && syncNow }),
  });
  const back = <Action variant="default" onClick={onBack} disabled={change.isPending} label={t('back')} />;
  return (
    <Section title={t('schedule')}>
      <Form of={form} submitLabel={t(isLast ? 'finish' : 'save')} beside={back}>
        <NativeSelect
          {...form.field('every', t('every'))}
          data={pullSchedules.map((value) => ({ value, label: words.pullSchedule[value] }))}
          maw={280}
        />
        <TextInput
          {...form.field('nightlyTime', t('nightly'))}
          type="time"
          description={t('nightlyHint', { zone })}
          required
          maw={280}
        />
        {isLast && (
          <Checkbox
            {...form.getInputProps('syncNow', { type: 'checkbox' })}
            label={t('syncNow')}
            description={t('syncNowHint')}
          />
        )}
      </Form>
    </Section>
  );
}
