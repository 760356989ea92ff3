import { useMutation, useQueryClient } from '@tanstack/react-query';
import type * as Contract from '../../../../src/features/webhooks/contract.ts';
import { useChange, useGet, useGetPage, usePost } from '../../app/api/queries.ts';
import { at, post, type Query, remove } from '../../app/api/request.ts';

const touched = ['webhooks', 'overview', 'activity'];
const touchedByEvent = [...touched, 'events'];
/** Deliveries send no notification to the page, so it polls. */
const progressMillis = 1_000;
const idleMillis = 15_000;
/** A worker that makes an attempt has this long, and so long the next one is not due. */
const leaseMillis = 60_000;

/** Returns whether an attempt is being made, or will be in a moment. Other ones may be hours away. */
const isUnderWay = ({ nextAttemptAt }: Pick<Contract.WebhookDelivery, 'nextAttemptAt'>) =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) <= Date.now() + leaseMillis;

export const useEndpoints = () =>
  useGet<Contract.WebhookEndpoint[]>(['webhooks'], '/webhook-endpoints', { refetchInterval: idleMillis });

export const useEndpoint = (id: number) =>
  useGet<Contract.WebhookEndpoint>(['webhooks', id], at`/webhook-endpoints/${id}`, { refetchInterval: idleMillis });

export const useCreateEndpoint = () =>
  usePost<Contract.NewEndpointSecret, Contract.EndpointSettings>('/webhook-endpoints', touched);

export const useUpdateEndpoint = (id: number) =>
  usePost<Contract.WebhookEndpoint, Contract.EndpointSettings>(at`/webhook-endpoints/${id}`, touched);

export const useRotateSecret = (id: number) =>
  useChange(() => post<Contract.NewEndpointSecret>(at`/webhook-endpoints/${id}/rotate`), touched);

export const useSetEndpointState = (id: number) =>
  usePost<Contract.WebhookEndpoint, Contract.EndpointStateBody>(at`/webhook-endpoints/${id}/state`, touched);

/** Refetches the list only: the page of the endpoint is still open and would find that it does not exist any more. */
export function useDeleteEndpoint(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => remove(at`/webhook-endpoints/${id}`),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['webhooks'], exact: true, refetchType: 'all' }),
        client.invalidateQueries({ queryKey: ['overview'] }),
        client.invalidateQueries({ queryKey: ['activity'] }),
      ]),
  });
}

/** Fetches deliveries, newest event first. Refetches automatically, more often while an attempt is under way. */
export const useDeliveries = (id: number, query: Query<Contract.DeliveriesQuery>) =>
  useGetPage<Contract.WebhookDelivery, Contract.DeliveriesQuery>(
    ['webhooks', id, 'deliveries'],
    at`/webhook-endpoints/${id}/deliveries`,
    query,
    { refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? progressMillis : idleMillis) },
  );

/** Fetches a delivery. Refetches automatically, more often while an attempt is under way. */
export const useDelivery = (id: number, sequence: number) =>
  useGet<Contract.DeliveryDetails>(
    ['webhooks', id, 'delivery', sequence],
    at`/webhook-endpoints/${id}/deliveries/${sequence}`,
    {
      refetchInterval: ({ state }) => {
        if (state.data === undefined || state.data.state !== 'pending') return false;
        return isUnderWay(state.data) ? progressMillis : idleMillis;
      },
    },
  );

export const useSendTestEvent = (id: number) =>
  useChange(() => post<Contract.SentTest>(at`/webhook-endpoints/${id}/test`), touchedByEvent);

export const useRedeliver = (id: number) =>
  useChange((sequence: number) => post<void>(at`/webhook-endpoints/${id}/deliveries/${sequence}/redeliver`), touched);

export const useReplayEvents = (id: number) =>
  usePost<Contract.Replayed, Contract.ReplayBody>(at`/webhook-endpoints/${id}/replay`, touched);
