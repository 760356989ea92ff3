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
import { at, get, post } from '../../app/api/request.ts';

const touched = ['integrations', 'overview', 'activity'];
const progressMillis = 1_000;
/** The nightly pull sends no notification to the page, so it polls. */
const idleMillis = 15_000;

export const isPulling = ({ state }: Pick<Pull, 'state'>) => state === 'waiting' || state === 'reading';

/** Fetches how an integration pulls. Refetches automatically, more often while it does. */
export const useConnection = (id: number, enabled = true) =>
  useQuery({
    queryKey: ['integrations', id, 'connection'],
    queryFn: ({ signal }) => get<Connection>(at`/integrations/${id}/connection`, { signal }),
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

export const useSetRules = (id: number) =>
  useChange((body: RulesBody) => post<void, RulesBody>(at`/integrations/${id}/connection/rules`, body), touched);

export const useRequestPull = (id: number) =>
  useChange((body: PullBody) => post<Pull, PullBody>(at`/integrations/${id}/pulls`, body), touched);

/** Fetches a pull until it has ended. */
export const usePull = (id: number, pullId: number | undefined) =>
  useQuery({
    queryKey: ['integrations', id, 'pulls', pullId],
    queryFn: ({ signal }) => get<Pull>(at`/integrations/${id}/pulls/${pullId ?? 0}`, { signal }),
    enabled: pullId !== undefined,
    refetchInterval: ({ state }) => (state.data === undefined || isPulling(state.data) ? progressMillis : false),
  });
