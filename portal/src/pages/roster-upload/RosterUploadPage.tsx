import { Alert, Button, Card, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconFileText, IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { useIntegration, usePreviewRoster, usePushRoster } from '../../api/integrations.ts';
import { useMe } from '../../api/me.ts';
import { ApiProblem, type RosterFile } from '../../api/request.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadProblem } from '../../components/LoadProblem.tsx';
import { Page } from '../../components/Page.tsx';
import { ProblemAlert } from '../../components/ProblemAlert.tsx';
import { RoleGate } from '../../components/RoleGate.tsx';
import { syncAddress } from '../../components/sync-address.ts';
import { useTexts } from '../../i18n/texts.ts';
import { DropArea } from './DropArea.tsx';
import { de } from './de.ts';
import { en } from './en.ts';
import { Help } from './Help.tsx';
import { Preview } from './Preview.tsx';
import { Problems } from './Problems.tsx';
import { formatSize, isReadable, readRosterFile } from './roster-file.ts';

const isInvalid = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.errors.length > 0 && error.code === 'invalid-roster';

function Chosen({ file, onOther }: { file: File; onOther(): void }) {
  const t = useTexts({ en, de });
  const locale = useMe().data?.company.locale ?? 'en';
  return (
    <Card padding="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <IconFileText size={18} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {t('chosen', { name: file.name, size: formatSize(file.size, locale) })}
          </Text>
        </Group>
        <Button variant="default" size="compact-sm" onClick={onOther}>
          {t('other')}
        </Button>
      </Group>
    </Card>
  );
}

function Upload({ integrationId }: { integrationId: number }) {
  const t = useTexts({ en, de });
  const navigate = useNavigate();
  const preview = usePreviewRoster(integrationId);
  const push = usePushRoster(integrationId);
  const [chosen, setChosen] = useState<RosterFile>();
  const [fileProblem, setFileProblem] = useState<'changed' | 'unreadable'>();
  const start = (problem?: 'changed' | 'unreadable') => {
    preview.reset();
    push.reset();
    setChosen(undefined);
    setFileProblem(problem);
  };
  const choose = async (file: File) => {
    start();
    try {
      const roster = await readRosterFile(file);
      setChosen(roster);
      preview.mutate(roster);
    } catch {
      setFileProblem('unreadable');
    }
  };
  const apply = async (roster: RosterFile) => {
    if (!(await isReadable(roster.file))) return start('changed');
    push.mutate(roster, { onSuccess: ({ syncId }) => navigate(syncAddress(integrationId, syncId)) });
  };
  if (chosen === undefined) {
    return (
      <>
        {fileProblem && (
          <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
            {t(fileProblem)}
          </Alert>
        )}
        <DropArea onFile={(file) => void choose(file)} />
        <Help />
      </>
    );
  }
  const problem = push.error ?? preview.error;
  const actions = (
    <Group gap="xs">
      <Button onClick={() => void apply(chosen)} loading={push.isPending}>
        {t('apply')}
      </Button>
      <Button variant="default" onClick={() => start()} disabled={push.isPending}>
        {t('other')}
      </Button>
    </Group>
  );
  return (
    <>
      <Chosen file={chosen.file} onOther={() => start()} />
      {preview.isPending && (
        <Card role="status">
          <Stack gap="sm">
            <Text size="sm">{t('previewing')}</Text>
            <Progress value={100} animated aria-label={t('previewLabel')} />
          </Stack>
        </Card>
      )}
      {isInvalid(problem) ? (
        <Problems problem={problem} />
      ) : (
        <ProblemAlert error={problem} onRetry={() => (push.error ? void apply(chosen) : preview.mutate(chosen))} />
      )}
      {preview.data && <Preview preview={preview.data} actions={actions} />}
    </>
  );
}

export function Component() {
  const t = useTexts({ en, de });
  const id = Number(useParams().id);
  const { data: integration, error, refetch } = useIntegration(id);
  const parent = { title: integration?.name ?? t('integration'), to: `/integrations/${id}` };
  const back = (
    <Button component={Link} to={parent.to} variant="light">
      {t('toIntegration')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      description={t('description')}
      parents={[{ title: t('integrations'), to: '/integrations' }, parent]}
    >
      <RoleGate ability="syncs">
        {integration === undefined ? (
          error ? (
            <LoadProblem error={error} onRetry={() => void refetch()} parent={parent} />
          ) : (
            <Skeleton height={240} radius="md" />
          )
        ) : integration.canTriggerSync ? (
          <Upload integrationId={id} />
        ) : (
          <Card>
            <EmptyState icon={IconPlugConnectedX} title={t('notPossible')} hint={t('notPossibleHint')} actions={back} />
          </Card>
        )}
      </RoleGate>
    </Page>
  );
}
