import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../app/api/changes.ts';
import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  replayEvents,
  rotateWebhookSecret,
  setWebhookState,
  testWebhook,
  updateWebhook,
} from '../../app/api/operations.gen.ts';
import type { Query } from '../../app/api/request.ts';
import type {
  CreateWebhookBody,
  ListDeliveriesParams,
  ReplayEventsBody,
  SetWebhookStateBody,
  UpdateWebhookBody,
  WebhookDelivery,
} from '../../app/api/types.gen.ts';

const touched = ['webhooks', 'overview', 'activity'];
const touchedByEvent = [...touched, 'events'];
/** Deliveries send no notification to the page, so it polls. */
const progressMillis = 1_000;
const idleMillis = 15_000;
/** A worker that makes an attempt has this long, and so long the next one is not due. */
const leaseMillis = 60_000;

/** Returns whether an attempt is being made, or will be in a moment. Other ones may be hours away. */
const isUnderWay = ({ nextAttemptAt }: Pick<WebhookDelivery, 'nextAttemptAt'>) =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) <= Date.now() + leaseMillis;

export const useWebhooks = () =>
  useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => listWebhooks(signal),
    refetchInterval: idleMillis,
  });

export const useWebhook = (id: number) =>
  useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => getWebhook(id, signal),
    refetchInterval: idleMillis,
  });

export const useCreateWebhook = () => useChange((body: CreateWebhookBody) => createWebhook(body), touched);

export const useUpdateWebhook = (id: number) =>
  useChange((body: UpdateWebhookBody) => updateWebhook(id, body), touched);

export const useRotateWebhookSecret = (id: number) => useChange(() => rotateWebhookSecret(id), touched);

export const useSetWebhookState = (id: number) =>
  useChange((body: SetWebhookStateBody) => setWebhookState(id, body), touched);

/** Refetches the list only: the page of the endpoint is still open and would find that it does not exist any more. */
export function useDeleteWebhook(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => deleteWebhook(id),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['webhooks'], exact: true, refetchType: 'all' }),
        client.invalidateQueries({ queryKey: ['overview'] }),
        client.invalidateQueries({ queryKey: ['activity'] }),
      ]),
  });
}

/** Fetches deliveries, newest event first. Refetches automatically, more often while an attempt is under way. */
export const useDeliveries = (id: number, query: Query<ListDeliveriesParams>) =>
  useQuery({
    queryKey: ['webhooks', id, 'deliveries', query],
    queryFn: ({ signal }) => listDeliveries(id, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? progressMillis : idleMillis),
  });

/** Fetches a delivery. Refetches automatically, more often while an attempt is under way. */
export const useDelivery = (id: number, sequence: number) =>
  useQuery({
    queryKey: ['webhooks', id, 'delivery', sequence],
    queryFn: ({ signal }) => getDelivery(id, sequence, signal),
    refetchInterval: ({ state }) => {
      if (state.data === undefined || state.data.state !== 'pending') return false;
      return isUnderWay(state.data) ? progressMillis : idleMillis;
    },
  });

export const useTestWebhook = (id: number) => useChange(() => testWebhook(id), touchedByEvent);

export const useRedeliver = (id: number) => useChange((sequence: number) => redeliver(id, sequence), touched);

export const useReplayEvents = (id: number) => useChange((body: ReplayEventsBody) => replayEvents(id, body), touched);
