import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Effects } from '../../../../src/features/billing/contract.ts';
import type {
  CheckBody,
  ConnectBody,
  Connection,
  ConnectionCheck,
  Pull,
  PullBody,
} from '../../../../src/features/connectors/pull/contract.ts';
import type { HrIntegration, NewIntegrationBody } from '../../../../src/features/integrations/contract.ts';
import type {
  ExplainedRecord,
  ExplainedRecordsQuery,
  ExplainedSync,
  RemovalEffectsQuery,
  SyncProgress,
  SyncsQuery,
} from '../../../../src/features/roster/contract.ts';
import { useChange, useGet, useGetPage, usePost } from '../../app/api/queries.ts';
import { at, get, post, type Query } from '../../app/api/request.ts';

export const touched = ['integrations', 'overview', 'activity'];
export const touchedBySync = [...touched, 'employees'];
const progressMillis = 1_000;
/** Pushes by other clients and nightly pulls send no notification to the page, so it polls. */
const idleMillis = 15_000;

export const isRunning = ({ state }: Pick<ExplainedSync, 'state'>) => state === 'accepted' || state === 'processing';

/** Whether a roster can be uploaded: also where no key may push one any more. */
export const acceptsUpload = ({ canTriggerSync, status, type }: HrIntegration) =>
  canTriggerSync || (status === 'invalid' && type === 'api-integration');

/** `isLive`: refetches automatically, for pages that show the states of integrations. */
export const useIntegrations = ({ isLive = false } = {}) =>
  useGet<HrIntegration[]>(['integrations'], '/integrations', { refetchInterval: isLive && idleMillis });

export const useIntegration = (id: number) =>
  useGet<HrIntegration>(['integrations', id], at`/integrations/${id}`, { refetchInterval: idleMillis });

export const useCreateIntegration = () => usePost<HrIntegration, NewIntegrationBody>('/integrations', touched);

/** Fetches syncs, newest first. Refetches automatically, more often while one of them runs. */
export const useSyncs = (id: number, paging: Query<SyncsQuery>) =>
  useGetPage<ExplainedSync, SyncsQuery>(['integrations', id, 'syncs'], at`/integrations/${id}/syncs`, paging, {
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
  useGet<ExplainedSync>(['integrations', id, 'sync', syncId], at`/integrations/${id}/syncs/${syncId}`, {
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? progressMillis : false),
  });

/** Fetches how much of a running sync was written, or whether a failed one can be repeated. */
export const useSyncProgress = (id: number, { syncId, state }: Pick<ExplainedSync, 'syncId' | 'state'>) =>
  useQuery({
    // Not below `integrations`: the end of the sync must not fetch it again.
    queryKey: ['sync-progress', id, syncId, isRunning({ state })],
    queryFn: ({ signal }) => get<SyncProgress>(at`/integrations/${id}/syncs/${syncId}/progress`, { signal }),
    refetchInterval: isRunning({ state }) ? progressMillis : false,
  });

export const useSyncRecords = (id: number, syncId: string, query: Query<ExplainedRecordsQuery>) =>
  useGetPage<ExplainedRecord, ExplainedRecordsQuery>(
    ['integrations', id, 'sync', syncId, 'records'],
    at`/integrations/${id}/syncs/${syncId}/records`,
    query,
  );

/** Fetches what approving the pending removals of a sync would do, of these employees or of all. */
export const useRemovalEffects = (
  id: number,
  syncId: string,
  employeeIds: readonly number[] | null,
  enabled: boolean,
) =>
  useQuery({
    queryKey: ['integrations', id, 'sync', syncId, 'removals', employeeIds],
    queryFn: ({ signal }) =>
      get<Effects, RemovalEffectsQuery>(at`/integrations/${id}/syncs/${syncId}/removals`, {
        query: employeeIds === null ? {} : { employeeIds },
        signal,
      }),
    enabled: enabled && employeeIds?.length !== 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const isPulling = ({ state }: Pick<Pull, 'state'>) => state === 'waiting' || state === 'reading';

/** Fetches how an integration pulls. Refetches automatically, more often while it does. */
export const useConnection = (id: number, enabled = true) =>
  useGet<Connection>(['integrations', id, 'connection'], at`/integrations/${id}/connection`, {
    enabled,
    refetchInterval: ({ state }) => (state.data?.pull && isPulling(state.data.pull) ? progressMillis : idleMillis),
  });

/** Tests the stored credentials with the stored mapping, once per visit. */
export const useConnectionCheck = (id: number, enabled: boolean) =>
  useQuery({
    // Not below `integrations`: it asks the HR system, which a change of something else must not repeat.
    queryKey: ['connection-check', id],
    queryFn: ({ signal }) =>
      post<ConnectionCheck, CheckBody>(at`/integrations/${id}/connection/check`, { mapping: null }, signal),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const useConnect = () =>
  useChange(
    ({ id, ...body }: ConnectBody & { id: number }) =>
      post<ConnectionCheck, ConnectBody>(at`/integrations/${id}/connection`, body),
    [...touched, 'connection-check'],
  );

export const useRequestPull = (id: number) => usePost<Pull, PullBody>(at`/integrations/${id}/pulls`, touched);

/** Fetches a pull until it has ended. */
export const usePull = (id: number, pullId: number | undefined) =>
  useGet<Pull>(['integrations', id, 'pulls', pullId], at`/integrations/${id}/pulls/${pullId ?? 0}`, {
    enabled: pullId !== undefined,
    refetchInterval: ({ state }) => (state.data === undefined || isPulling(state.data) ? progressMillis : false),
  });
