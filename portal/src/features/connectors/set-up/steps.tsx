import { Alert, Button, Card, Checkbox, Group, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import type { RosterPreview } from '../../../../../src/features/roster/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { Hint } from '../../../ui/text.tsx';
import { texts } from './texts.ts';
import './set-up.css';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useMe } from '../../../app/api/me.ts';

import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { Section } from '../../../ui/layout.tsx';
import { MessageText } from '../../../ui/MessageText.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { PullProgress } from '../../../ui/pull/PullProgress.tsx';
import { ConfirmReactivation, Counts, Effects, RecordList } from '../../../ui/records/records.tsx';
import { Warnings } from '../../../ui/warnings/Warnings.tsx';
import { isPulling, useConnectionCheck, usePull, useRequestPull } from '../connections.ts';
import { ConnectionProblems } from './credentials.tsx';

export const allSteps = ['credentials', 'check', 'mapping', 'preview', 'schedule'] as const;
export type Step = (typeof allSteps)[number];

const labels = {
  credentials: 'stepCredentials',
  check: 'stepCheck',
  mapping: 'stepMapping',
  preview: 'stepPreview',
  schedule: 'stepSchedule',
} as const;

/** Shows where in the set-up the user is. */
export function Steps({ current }: { current: Step }) {
  const t = useTexts(texts);
  const index = allSteps.indexOf(current);
  return (
    <nav aria-label={t('steps')}>
      <Hint mb={4}>{t('progress', { step: index + 1, total: allSteps.length })}</Hint>
      <ol className="steps">
        {allSteps.map((step, position) => (
          <Text
            key={step}
            component="li"
            size="sm"
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

interface Props {
  integrationId: number;
  title: string;
  onNext(): void;
  onOther(): void;
}

/** Tests the stored credentials, and names each missing permission. */
export function CheckStep({ integrationId, title, onNext, onOther }: Props) {
  const t = useTexts(texts);
  const { data, error, isFetching, refetch } = useConnectionCheck(integrationId, true);
  const isOk = data?.problems.length === 0;
  return (
    <Section title={t('checkTitle')}>
      <Stack>
        {isFetching ? (
          <Group gap="xs" role="status">
            <Loader size="sm" aria-hidden />
            <Text size="sm">{t('checking', { provider: title })}</Text>
          </Group>
        ) : (
          <>
            <ProblemAlert error={error} onRetry={() => void refetch()} />
            {isOk && (
              <Alert color="teal" icon={<IconCheck size={18} />} role="status">
                {t('checkOk', { count: data.fields.length })}
              </Alert>
            )}
            {data !== undefined && !isOk && (
              <ConnectionProblems problems={data.problems} provider={title} note={t('checkFix', { provider: title })} />
            )}
          </>
        )}
        <Group gap="xs">
          {data !== undefined && (
            <Button onClick={onNext} disabled={isFetching} variant={isOk ? 'filled' : 'default'}>
              {t('next')}
            </Button>
          )}
          <Button variant={isOk ? 'default' : 'filled'} onClick={() => void refetch()} disabled={isFetching}>
            {t('checkAgain')}
          </Button>
          <Button variant="subtle" onClick={onOther} disabled={isFetching}>
            {t('otherCredentials')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

function Outcome({ preview }: { preview: RosterPreview }) {
  const t = useTexts(texts);
  const { created, updated, offboarded, held, failed } = preview.counts;
  const notice = (text: string, colour: string) => (
    <Alert color={colour} py="xs">
      <Text size="sm">{text}</Text>
    </Alert>
  );
  return (
    <Stack gap="md">
      <Text size="sm">
        {t('entries', { count: preview.entries })}{' '}
        {created + updated + offboarded + held + failed === 0 && t('nothing')}
      </Text>
      <Effects preview={preview} />
      <Counts counts={preview.counts} />
      {held > 0 && notice(t('held', { count: held }), 'orange')}
      {offboarded > 0 && notice(t('leaving', { count: offboarded }), 'yellow')}
      {failed > 0 && notice(t('failing', { count: failed }), 'red')}
      <Warnings warnings={preview.warnings} />
    </Stack>
  );
}

function FirstRecords({ preview }: { preview: RosterPreview }) {
  const t = useTexts(texts);
  const { created, updated, offboarded, held, failed } = preview.counts;
  const count = created + updated + offboarded + held + failed;
  const shown = preview.records.length;
  if (shown === 0) return null;
  return (
    <Stack component="section" gap="sm" aria-labelledby="records">
      <div>
        <Title order={2} id="records">
          {t('records')}
        </Title>
        {shown < count && <Hint>{t('firstRecords', { shown, count })}</Hint>}
      </div>
      <Card padding={0}>
        <RecordList records={preview.records} label={t('records')} />
      </Card>
    </Stack>
  );
}

interface PreviewStepProps {
  integrationId: number;
  title: string;
  onNext(): void;
  onMapping(): void;
}

/** Reads the roster without applying it, and shows what a sync would do. */
export function PreviewStep({ integrationId, title, onNext, onMapping }: PreviewStepProps) {
  const t = useTexts(texts);
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
  return (
    <>
      <Section title={t('previewTitle')}>
        <Stack>
          <Hint>{t('previewHint')}</Hint>
          <ProblemAlert error={request.error ?? error} onRetry={again} />
          {isRunning && <PullProgress pull={pull} provider={title} />}
          {!isRunning && failed !== undefined && (
            <Alert color="red" role="alert" title={t('failedTitle')}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <MessageText message={failed.message} detail={failed.reason ?? ''} />
              </Text>
            </Alert>
          )}
          {!isRunning && pull?.preview && <Outcome preview={pull.preview} />}
          <Group gap="xs">
            <Button
              onClick={() => ((pull?.preview?.reactivated ?? 0) > 0 ? setAsking(true) : onNext())}
              disabled={isRunning || pull?.state !== 'read'}
            >
              {t('next')}
            </Button>
            <Button variant="default" onClick={onMapping} disabled={isRunning}>
              {t('toMapping')}
            </Button>
            <Button variant="default" onClick={again} disabled={isRunning}>
              {t('retry')}
            </Button>
          </Group>
        </Stack>
      </Section>
      {!isRunning && pull?.preview && <FirstRecords preview={pull.preview} />}
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

interface ScheduleStepProps {
  initial: string;
  /** Whether this finishes the set-up. Otherwise only the time changes. */
  isLast: boolean;
  change: {
    mutateAsync(given: { nightlyTime: string; syncNow: boolean }): Promise<unknown>;
    isPending: boolean;
    error: Error | null;
  };
  onBack(): void;
}

/** Asks when the integration pulls, and whether it does so at once. */
export function ScheduleStep({ initial, isLast, change, onBack }: ScheduleStepProps) {
  const t = useTexts(texts);
  const zone = useMe().data?.company.timeZone ?? '';
  const form = useChangeForm({
    initial: { nightlyTime: initial, syncNow: true },
    change,
    input: ({ nightlyTime, syncNow }) => ({ nightlyTime, syncNow: isLast && syncNow }),
  });
  const back = (
    <Button variant="default" onClick={onBack} disabled={change.isPending}>
      {t('back')}
    </Button>
  );
  return (
    <Section title={t('scheduleTitle')}>
      <Form of={form} submitLabel={t(isLast ? 'finish' : 'save')} beside={back}>
        <TextInput
          {...form.getInputProps('nightlyTime')}
          type="time"
          label={t('nightlyTime')}
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
