import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../app/api/changes.ts';
import {
  checkConnection,
  connectIntegration,
  getConnection,
  getPull,
  requestPull,
  setConnectionRules,
} from '../../app/api/operations.gen.ts';
import type { ConnectIntegrationBody, Pull, RequestPullBody, SetConnectionRulesBody } from '../../app/api/types.gen.ts';

const touched = ['integrations', 'overview', 'activity'];
const progressMillis = 1_000;
/** The nightly pull sends no notification to the page, so it polls. */
const idleMillis = 15_000;

export const isPulling = ({ state }: Pick<Pull, 'state'>) => state === 'waiting' || state === 'reading';

/** Fetches how an integration pulls. Refetches automatically, more often while it does. */
export const useConnection = (id: number, enabled = true) =>
  useQuery({
    queryKey: ['integrations', id, 'connection'],
    queryFn: ({ signal }) => getConnection(id, signal),
    enabled,
    refetchInterval: ({ state }) => (state.data?.pull && isPulling(state.data.pull) ? progressMillis : idleMillis),
  });

/** Tests the stored credentials with the stored mapping, once per visit. */
export const useConnectionCheck = (id: number, enabled: boolean) =>
  useQuery({
    // Not below `integrations`: it asks the HR system, which a change of something else must not repeat.
    queryKey: ['connection-check', id],
    queryFn: ({ signal }) => checkConnection(id, { mapping: null }, signal),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const useConnect = () =>
  useChange(
    ({ id, ...body }: ConnectIntegrationBody & { id: number }) => connectIntegration(id, body),
    [...touched, 'connection-check'],
  );

export const useSetRules = (id: number) =>
  useChange((body: SetConnectionRulesBody) => setConnectionRules(id, body), touched);

export const useRequestPull = (id: number) => useChange((body: RequestPullBody) => requestPull(id, body), touched);

/** Fetches a pull until it has ended. */
export const usePull = (id: number, pullId: number | undefined) =>
  useQuery({
    queryKey: ['integrations', id, 'pulls', pullId],
    queryFn: ({ signal }) => getPull(id, pullId ?? 0, signal),
    enabled: pullId !== undefined,
    refetchInterval: ({ state }) => (state.data === undefined || isPulling(state.data) ? progressMillis : false),
  });
