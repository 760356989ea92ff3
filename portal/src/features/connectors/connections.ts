import { useQuery } from '@tanstack/react-query';
import type {
  CheckBody,
  ConnectBody,
  Connection,
  ConnectionCheck,
  Pull,
  PullBody,
  RulesBody,
} from '../../../../src/features/connectors/pull/contract.ts';
import { useChange } from '../../app/api/changes.ts';
import { useGet, usePost } from '../../app/api/queries.ts';
import { at, post } from '../../app/api/request.ts';

const touched = ['integrations', 'overview', 'activity'];
const progressMillis = 1_000;
/** The nightly pull sends no notification to the page, so it polls. */
const idleMillis = 15_000;

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

export const useSetRules = (id: number) => usePost<void, RulesBody>(at`/integrations/${id}/connection/rules`, touched);

export const useRequestPull = (id: number) => usePost<Pull, PullBody>(at`/integrations/${id}/pulls`, touched);

/** Fetches a pull until it has ended. */
export const usePull = (id: number, pullId: number | undefined) =>
  useGet<Pull>(['integrations', id, 'pulls', pullId], at`/integrations/${id}/pulls/${pullId ?? 0}`, {
    enabled: pullId !== undefined,
    refetchInterval: ({ state }) => (state.data === undefined || isPulling(state.data) ? progressMillis : false),
  });
