import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useChange } from './changes.ts';
import {
  createIntegration,
  decideRemovals,
  getIntegration,
  getSync,
  listIntegrations,
  listSyncRecords,
  listSyncs,
  previewRoster,
  pushRoster,
  setIntegrationStatus,
} from './operations.gen.ts';
import type { Query, RosterFile } from './request.ts';
import type {
  CreateIntegrationBody,
  DecideRemovalsBody,
  ListSyncRecordsParams,
  ListSyncsParams,
  SetIntegrationStatusBody,
  Sync,
} from './types.gen.ts';

const touched = ['integrations', 'overview', 'activity'];
const touchedBySync = [...touched, 'employees'];
const progressMillis = 1_000;
/** Pushes by other clients send no notification to the page, so it polls. */
const idleMillis = 15_000;

export const isRunning = ({ state }: Pick<Sync, 'state'>) => state === 'accepted' || state === 'processing';

export const useIntegrations = () =>
  useQuery({ queryKey: ['integrations'], queryFn: ({ signal }) => listIntegrations(signal) });

export const useIntegration = (id: number) =>
  useQuery({ queryKey: ['integrations', id], queryFn: ({ signal }) => getIntegration(id, signal) });

export const useCreateIntegration = () => useChange((body: CreateIntegrationBody) => createIntegration(body), touched);

export const useSetIntegrationStatus = (id: number) =>
  useChange((body: SetIntegrationStatusBody) => setIntegrationStatus(id, body), touched);

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

export const useSyncRecords = (id: number, syncId: string, query: Query<ListSyncRecordsParams>) =>
  useQuery({
    queryKey: ['integrations', id, 'sync', syncId, 'records', query],
    queryFn: ({ signal }) => listSyncRecords(id, syncId, query, signal),
    placeholderData: keepPreviousData,
  });

export const usePreviewRoster = (id: number) => useChange((file: RosterFile) => previewRoster(id, file), []);

export const usePushRoster = (id: number) => useChange((file: RosterFile) => pushRoster(id, file), touchedBySync);

export const useDecideHeld = (id: number, syncId: string) =>
  useChange((body: DecideRemovalsBody) => decideRemovals(id, syncId, body), touchedBySync);
