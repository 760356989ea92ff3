import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { RecordOutcome } from '../../../src/domain/enums.ts';
import type { HrIntegration } from '../../../src/hr-integrations/schema.ts';
import type { Sync, SyncRecord } from '../../../src/hr-integrations/sync/schema.ts';
import type {
  IntegrationStatusBody,
  NewIntegrationBody,
  Page,
  RemovalDecisionBody,
  RosterPreview,
} from '../../../src/portal/contract.ts';
import { useChange } from './changes.ts';
import { read, request, withQuery } from './request.ts';

export interface Paging {
  page: number;
  perPage: number;
}

/**
 * A roster file as the user chose it. The browser reads the file while it sends it. The page never has it in memory.
 */
export interface RosterFile {
  file: File;
  contentType: 'application/json' | 'text/csv';
}

const path = (id: number) => `/integrations/${id}`;
const syncPath = (id: number, syncId: string) => `${path(id)}/syncs/${encodeURIComponent(syncId)}`;
const touched = ['integrations', 'overview', 'activity'];
const touchedBySync = [...touched, 'employees'];
const progressMillis = 1_000;
/** Pushes by other clients send no notification to the page, so it polls. */
const idleMillis = 15_000;

export const isRunning = ({ state }: Pick<Sync, 'state'>) => state === 'accepted' || state === 'processing';

export const useIntegrations = () =>
  useQuery({ queryKey: ['integrations'], queryFn: ({ signal }) => read<HrIntegration[]>('/integrations', { signal }) });

export const useIntegration = (id: number) =>
  useQuery({ queryKey: ['integrations', id], queryFn: ({ signal }) => read<HrIntegration>(path(id), { signal }) });

export const useCreateIntegration = () =>
  useChange((body: NewIntegrationBody) => read<HrIntegration>('/integrations', { method: 'POST', body }), touched);

export const useSetIntegrationStatus = (id: number) =>
  useChange(
    (body: IntegrationStatusBody) => read<HrIntegration>(`${path(id)}/status`, { method: 'POST', body }),
    touched,
  );

/** Fetches syncs, newest first. Refetches automatically, more often while one of them runs. */
export const useSyncs = (id: number, paging: Paging) =>
  useQuery({
    queryKey: ['integrations', id, 'syncs', paging],
    queryFn: ({ signal }) => read<Page<Sync>>(withQuery(`${path(id)}/syncs`, { ...paging }), { signal }),
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
    queryFn: ({ signal }) => read<Sync>(syncPath(id, syncId), { signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? progressMillis : false),
  });

export const useSyncRecords = (id: number, syncId: string, query: Paging & { outcomes?: readonly RecordOutcome[] }) =>
  useQuery({
    queryKey: ['integrations', id, 'sync', syncId, 'records', query],
    queryFn: ({ signal }) =>
      read<Page<SyncRecord>>(withQuery(`${syncPath(id, syncId)}/records`, { ...query }), { signal }),
    placeholderData: keepPreviousData,
  });

export const usePreviewRoster = (id: number) =>
  useChange(
    ({ file, contentType }: RosterFile) =>
      read<RosterPreview>(`${path(id)}/preview`, { method: 'POST', body: file, contentType }),
    [],
  );

export const usePushRoster = (id: number) =>
  useChange(
    ({ file, contentType }: RosterFile) =>
      read<{ syncId: string }>(`${path(id)}/sync`, { method: 'POST', body: file, contentType }),
    touchedBySync,
  );

export const useDecideHeld = (id: number, syncId: string) =>
  useChange(
    (body: RemovalDecisionBody) => request<void>(`${syncPath(id, syncId)}/held`, { method: 'POST', body }),
    touchedBySync,
  );
