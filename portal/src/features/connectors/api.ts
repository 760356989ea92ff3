import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useChange } from '../../app/api/changes.ts';
import {
  createIntegration,
  decideRemovals,
  deleteIntegration,
  getIntegration,
  getSync,
  getSyncProgress,
  inspectRoster,
  listIntegrations,
  listSyncRecords,
  listSyncs,
  previewDeletion,
  previewRoster,
  pushRoster,
  renameIntegration,
  retrySync,
  setIntegrationStatus,
} from '../../app/api/operations.gen.ts';
import type { Query, RosterFile } from '../../app/api/request.ts';
import type {
  CreateIntegrationBody,
  DecideRemovalsBody,
  DeleteIntegrationBody,
  ExplainedSync,
  HrIntegration,
  ListSyncRecordsParams,
  ListSyncsParams,
  PreviewRosterParams,
  SetIntegrationStatusBody,
} from '../../app/api/types.gen.ts';

const touched = ['integrations', 'overview', 'activity'];
const touchedBySync = [...touched, 'employees'];
const progressMillis = 1_000;
/** Pushes by other clients send no notification to the page, so it polls. */
const idleMillis = 15_000;

export const isRunning = ({ state }: Pick<ExplainedSync, 'state'>) => state === 'accepted' || state === 'processing';

/** Whether a roster can be uploaded: also where no key may push one any more. */
export const acceptsUpload = ({ canTriggerSync, status, type }: HrIntegration) =>
  canTriggerSync || (status === 'invalid' && type === 'api-integration');

export const useIntegrations = () =>
  useQuery({ queryKey: ['integrations'], queryFn: ({ signal }) => listIntegrations(signal) });

export const useIntegration = (id: number) =>
  useQuery({ queryKey: ['integrations', id], queryFn: ({ signal }) => getIntegration(id, signal) });

export const useCreateIntegration = () => useChange((body: CreateIntegrationBody) => createIntegration(body), touched);

export const useSetIntegrationStatus = (id: number) =>
  useChange((body: SetIntegrationStatusBody) => setIntegrationStatus(id, body), touched);

export const useRenameIntegration = (id: number) =>
  useChange((name: string) => renameIntegration(id, { name }), touched);

export const useDeletionPreview = (id: number, opened: boolean) =>
  useQuery({
    queryKey: ['integrations', id, 'deletion'],
    queryFn: ({ signal }) => previewDeletion(id, signal),
    enabled: opened,
    staleTime: 0,
  });

export const useDeleteIntegration = (id: number) =>
  useChange((body: DeleteIntegrationBody) => deleteIntegration(id, body), touchedBySync);

/** Fetches syncs, newest first. Refetches automatically, more often while one of them runs. */
export const useSyncs = (id: number, paging: Query<ListSyncsParams>) =>
  useQuery({
    queryKey: ['integrations', id, 'syncs', paging],
    queryFn: ({ signal }) => listSyncs(id, paging, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) ? progressMillis : idleMillis),
  });

/** Invalidates everything that a sync may have changed, once a sync that was running has ended. */
export function useReadAgainAfter(running: boolean | undefined) {
  const client = useQueryClient();
  const wasRunning = useRef(false);
  useEffect(() => {
    if (running === undefined) return;
    if (wasRunning.current && !running) {
      for (const name of touchedBySync) void client.invalidateQueries({ queryKey: [name] });
    }
    wasRunning.current = running;
  }, [client, running]);
}

/** Fetches a sync. Refetches automatically while it runs. */
export const useSync = (id: number, syncId: string) =>
  useQuery({
    queryKey: ['integrations', id, 'sync', syncId],
    queryFn: ({ signal }) => getSync(id, syncId, signal),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? progressMillis : false),
  });

/** Fetches how much of a running sync was written, or whether a failed one can be repeated. */
export const useSyncProgress = (id: number, { syncId, state }: Pick<ExplainedSync, 'syncId' | 'state'>) =>
  useQuery({
    // Not below `integrations`: the end of the sync must not fetch it again.
    queryKey: ['sync-progress', id, syncId, isRunning({ state })],
    queryFn: ({ signal }) => getSyncProgress(id, syncId, signal),
    refetchInterval: isRunning({ state }) ? progressMillis : false,
  });

export const useRetrySync = (id: number, syncId: string) =>
  useChange(() => retrySync(id, syncId), [...touchedBySync, 'sync-progress']);

export const useSyncRecords = (id: number, syncId: string, query: Query<ListSyncRecordsParams>) =>
  useQuery({
    queryKey: ['integrations', id, 'sync', syncId, 'records', query],
    queryFn: ({ signal }) => listSyncRecords(id, syncId, query, signal),
    placeholderData: keepPreviousData,
  });

/** A file, and what a user has chosen for its columns. Without a choice, the service recognises them. */
export interface RosterUpload extends RosterFile {
  columns?: PreviewRosterParams['columns'];
  /** The number of rows with errors, if they are to be left out. */
  leaveOut?: number;
}

export const useInspectRoster = (id: number) => useChange((file: RosterFile) => inspectRoster(id, file), []);

export const usePreviewRoster = (id: number) =>
  useChange(({ columns, leaveOut, ...file }: RosterUpload) => previewRoster(id, { columns, leaveOut }, file), []);

export const usePushRoster = (id: number) =>
  useChange(({ columns, leaveOut, ...file }: RosterUpload) => {
    const query = { columns, leaveOut, fileName: file.file.name.slice(0, 255) };
    return pushRoster(id, query, file);
  }, touchedBySync);

export const useDecideHeld = (id: number, syncId: string) =>
  useChange((body: DecideRemovalsBody) => decideRemovals(id, syncId, body), touchedBySync);
