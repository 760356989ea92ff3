import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { RosterPreview } from '../../../../../src/features/roster/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { MessageText } from '../../../ui/MessageText.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { PullProgress } from '../../../ui/pull/PullProgress.tsx';
import { Counts } from '../../../ui/records/Counts.tsx';
import { ConfirmReactivation, Effects } from '../../../ui/records/Effects.tsx';
import { RecordList } from '../../../ui/records/RecordList.tsx';
import { Section } from '../../../ui/Section.tsx';
import { Warnings } from '../../../ui/warnings/Warnings.tsx';
import { isPulling, usePull, useRequestPull } from '../connections.ts';
import { texts } from './texts.ts';

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
        {shown < count && (
          <Text size="sm" c="dimmed">
            {t('firstRecords', { shown, count })}
          </Text>
        )}
      </div>
      <Card padding={0}>
        <RecordList records={preview.records} label={t('records')} />
      </Card>
    </Stack>
  );
}

interface Props {
  integrationId: number;
  title: string;
  onNext(): void;
  onMapping(): void;
}

/** Reads the roster without applying it, and shows what a sync would do. */
export function PreviewStep({ integrationId, title, onNext, onMapping }: Props) {
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
          <Text size="sm" c="dimmed">
            {t('previewHint')}
          </Text>
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
