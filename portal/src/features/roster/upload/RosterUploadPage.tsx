import { Card, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type {
  PushedRoster,
  RosterPreview,
  RosterTable,
  UploadQuery,
} from '../../../../../src/features/roster/contract.ts';
import { useChange } from '../../../app/api/queries.ts';
import { ApiProblem, at, type RosterFile, upload } from '../../../app/api/request.ts';
import { createUploadingFetch, type UploadProgress } from '../../../app/api/upload.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, Notice, SmallAction } from '../../../ui/Action.tsx';
import { IconAlertTriangle, IconFileText, IconPlugConnectedX } from '../../../ui/icons.gen.ts';
import { Page } from '../../../ui/layout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { EmptyState, Query, RoleGate } from '../../../ui/Query.tsx';
import { ConfirmReactivation } from '../../../ui/records/records.tsx';
import { syncAddress } from '../../../ui/text.tsx';
import { acceptsUpload, touchedBySync, useIntegration } from '../../connectors/api.ts';
import { type Choice, Columns, isKnown, suggestedChoices } from './columns.tsx';
import { DropArea, Help, isReadable, readRosterFile, useFormatSize } from './file.tsx';
import { Preview } from './Preview.tsx';
import { Problems } from './Problems.tsx';
import { texts } from './texts.ts';

const isInvalid = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.errors.length > 0 && error.code === 'invalid-roster';

function Chosen({ file, onOther }: { file: File; onOther(): void }) {
  const { t } = useReader(texts);
  const size = useFormatSize()(file.size);
  return (
    <Card padding="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <IconFileText size={18} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {t('chosen', { name: file.name, size })}
          </Text>
        </Group>
        <SmallAction onClick={onOther} label={t('other')} />
      </Group>
    </Card>
  );
}

function Working({
  text,
  label = text,
  progress,
}: {
  text: string;
  label?: string;
  progress?: UploadProgress | undefined;
}) {
  const { t } = useReader(texts);
  const size = useFormatSize();
  const { phase, done = 0, total = 0 } = progress ?? {};
  // What has arrived is read before anything is planned.
  const isReading = phase === undefined || (phase === 'sending' && done >= total);
  return (
    <Card>
      <Stack gap="sm">
        <Text role="status">{text}</Text>
        {phase === 'sending' && (
          <Text className="figures">
            {isReading ? t('sent', { total: size(total) }) : t('sending', { done: size(done), total: size(total) })}
          </Text>
        )}
        {phase === 'planning' && <Text className="figures">{t('planned', { done, total })}</Text>}
        <Progress value={isReading ? 100 : (done / Math.max(1, total)) * 100} animated aria-label={label} />
      </Stack>
    </Card>
  );
}

/** A file, and what a user has chosen for its columns. Without a choice, the service recognises them. */
interface RosterUpload extends RosterFile {
  columns?: UploadQuery['columns'];
  /** The number of rows with errors, if they are to be left out. */
  leaveOut?: number;
}

const useInspectRoster = (id: number) =>
  useChange((file: RosterFile) => upload<RosterTable>(at`/integrations/${id}/inspect`, file), []);

const usePreviewRoster = (id: number) =>
  useChange(
    ({ columns, leaveOut, ...file }: RosterUpload) =>
      upload<RosterPreview, UploadQuery>(at`/integrations/${id}/preview`, file, { columns, leaveOut }),
    [],
  );

const usePushRoster = (id: number) =>
  useChange(({ columns, leaveOut, ...file }: RosterUpload) => {
    const query = { columns, leaveOut, fileName: file.file.name.slice(0, 255) };
    return upload<PushedRoster, UploadQuery>(at`/integrations/${id}/sync`, file, query);
  }, touchedBySync);

interface State {
  file?: RosterFile;
  choices?: Choice[];
  isChoosing?: boolean;
  leaveOut?: number | undefined;
  fileProblem?: 'changed' | 'unreadable' | 'oldExcel' | undefined;
}

function useUpload(integrationId: number) {
  const navigate = useNavigate();
  const inspect = useInspectRoster(integrationId);
  const preview = usePreviewRoster(integrationId);
  const push = usePushRoster(integrationId);
  const [progress, setProgress] = useState<UploadProgress>();
  const [state, setState] = useState<State>({});
  const change = (part: State) => setState((before) => ({ ...before, ...part }));
  const { file, choices, leaveOut } = state;
  const start = (fileProblem?: State['fileProblem']) => {
    inspect.reset();
    preview.reset();
    push.reset();
    setProgress(undefined);
    setState({ fileProblem });
  };
  const show = (roster: RosterUpload) => {
    change({ isChoosing: false });
    push.reset();
    setProgress(undefined);
    preview.mutate(roster);
  };
  const inspectFile = (roster: RosterFile) =>
    inspect.mutate(roster, {
      onSuccess: (table) => {
        const suggested = suggestedChoices(table);
        change({ choices: suggested, isChoosing: !isKnown(table) });
        if (isKnown(table)) show({ ...roster, columns: suggested });
      },
    });
  const choose = async (chosen: File) => {
    start(/\.xls$/i.test(chosen.name) ? 'oldExcel' : undefined);
    if (/\.xls$/i.test(chosen.name)) return;
    try {
      const roster = { ...(await readRosterFile(chosen)), fetch: createUploadingFetch(setProgress) };
      change({ file: roster });
      if (roster.contentType === 'application/json') preview.mutate(roster);
      else inspectFile(roster);
    } catch {
      change({ fileProblem: 'unreadable' });
    }
  };
  const roster: RosterUpload | undefined = file && {
    ...file,
    ...(choices ? { columns: choices } : {}),
    ...(leaveOut === undefined ? {} : { leaveOut }),
  };
  const apply = async () => {
    if (roster === undefined) return;
    if (!(await isReadable(roster.file))) return start('changed');
    setProgress(undefined);
    push.mutate(roster, { onSuccess: ({ syncId }) => navigate(syncAddress(integrationId, syncId)) });
  };
  return {
    ...state,
    progress,
    start,
    choose,
    apply,
    setChoices: (next: Choice[]) => change({ choices: next }),
    editColumns: () => change({ leaveOut: undefined, isChoosing: true }),
    showPreview: () => roster && show(roster),
    skipRows(rows: number) {
      change({ leaveOut: rows });
      if (roster) show({ ...roster, leaveOut: rows });
    },
    retry() {
      if (push.error) void apply();
      else if (roster && preview.error) preview.mutate(roster);
      else if (file) inspectFile(file);
    },
    inspect,
    preview,
    push,
    error: push.error ?? preview.error ?? inspect.error,
  };
}

function Upload({ integrationId }: { integrationId: number }) {
  const { t } = useReader(texts);
  const upload = useUpload(integrationId);
  const [isAsking, setAsking] = useState(false);
  const { file, progress, inspect, preview, push, choices, isChoosing, error } = upload;
  if (file === undefined) {
    return (
      <>
        {upload.fileProblem && (
          <Notice color="red" role="alert" icon={<IconAlertTriangle size={18} />} text={t(upload.fileProblem)} />
        )}
        <DropArea onFile={(chosen) => void upload.choose(chosen)} />
        <Help />
      </>
    );
  }
  const columnsButton = inspect.data && (
    <Action variant="default" onClick={upload.editColumns} disabled={push.isPending} label={t('editColumns')} />
  );
  const actions = (
    <Group gap="xs">
      <Action
        onClick={() => (preview.data && preview.data.reactivated > 0 ? setAsking(true) : void upload.apply())}
        loading={push.isPending}
        label={preview.data?.warnings.some(({ code }) => code === 'left-out') ? t('applyRest') : t('apply')}
      />
      {columnsButton}
      <Action variant="default" onClick={() => upload.start()} disabled={push.isPending} label={t('other')} />
    </Group>
  );
  return (
    <>
      <Chosen file={file.file} onOther={() => upload.start()} />
      {inspect.isPending && <Working text={t('inspecting')} progress={progress} />}
      {isChoosing && inspect.data && choices ? (
        <Columns table={inspect.data} choices={choices} onChange={upload.setChoices} onContinue={upload.showPreview} />
      ) : (
        <>
          {preview.isPending && <Working text={t('previewing')} label={t('previewLabel')} progress={progress} />}
          {push.isPending && <Working text={t('pushing')} progress={progress} />}
          {isInvalid(error) ? (
            <>
              <Problems problem={error} onSkip={upload.skipRows} />
              {columnsButton && <Group>{columnsButton}</Group>}
            </>
          ) : (
            <ProblemAlert error={error} onRetry={upload.retry} />
          )}
          {preview.data && (
            <>
              <Preview preview={preview.data} actions={actions} />
              <ConfirmReactivation
                preview={preview.data}
                opened={isAsking}
                onClose={() => setAsking(false)}
                onConfirm={() => {
                  setAsking(false);
                  void upload.apply();
                }}
              />
            </>
          )}
        </>
      )}
    </>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const id = Number(useParams().id);
  const query = useIntegration(id);
  const integration = query.data;
  const parent = { title: integration?.name ?? t('integration'), to: `/integrations/${id}` };
  const back = <Action to={parent.to} variant="light" label={t('toIntegration')} />;
  return (
    <Page
      title={t('title')}
      description={t('description')}
      parents={[{ title: t('integrations'), to: '/integrations' }, parent]}
    >
      <RoleGate ability="syncs">
        <Query of={query} parent={parent} rows={6}>
          {(one) =>
            acceptsUpload(one) ? (
              <Upload integrationId={id} />
            ) : (
              <EmptyState
                icon={IconPlugConnectedX}
                title={t('notPossible')}
                hint={t('notPossibleHint')}
                actions={back}
                inCard
              />
            )
          }
        </Query>
      </RoleGate>
    </Page>
  );
}
