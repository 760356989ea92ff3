import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  DeliveriesQuery,
  DeliveryDetails,
  EndpointSettings,
  EndpointStateBody,
  NewEndpointSecret,
  ReplayBody,
  Replayed,
  SentTest,
  WebhookDelivery,
  WebhookEndpoint,
} from '../../../../src/features/webhooks/contract.ts';
import { useChange } from '../../app/api/changes.ts';
import { at, get, type Page, post, type Query, remove } from '../../app/api/request.ts';

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

export const useEndpoints = () =>
  useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => get<WebhookEndpoint[]>('/webhook-endpoints', { signal }),
    refetchInterval: idleMillis,
  });

export const useEndpoint = (id: number) =>
  useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => get<WebhookEndpoint>(at`/webhook-endpoints/${id}`, { signal }),
    refetchInterval: idleMillis,
  });

export const useCreateEndpoint = () =>
  useChange((body: EndpointSettings) => post<NewEndpointSecret, EndpointSettings>('/webhook-endpoints', body), touched);

export const useUpdateEndpoint = (id: number) =>
  useChange(
    (body: EndpointSettings) => post<WebhookEndpoint, EndpointSettings>(at`/webhook-endpoints/${id}`, body),
    touched,
  );

export const useRotateSecret = (id: number) =>
  useChange(() => post<NewEndpointSecret>(at`/webhook-endpoints/${id}/rotate`), touched);

export const useSetEndpointState = (id: number) =>
  useChange(
    (body: EndpointStateBody) => post<WebhookEndpoint, EndpointStateBody>(at`/webhook-endpoints/${id}/state`, body),
    touched,
  );

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
export const useDeliveries = (id: number, query: Query<DeliveriesQuery>) =>
  useQuery({
    queryKey: ['webhooks', id, 'deliveries', query],
    queryFn: ({ signal }) =>
      get<Page<WebhookDelivery>, DeliveriesQuery>(at`/webhook-endpoints/${id}/deliveries`, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? progressMillis : idleMillis),
  });

/** Fetches a delivery. Refetches automatically, more often while an attempt is under way. */
export const useDelivery = (id: number, sequence: number) =>
  useQuery({
    queryKey: ['webhooks', id, 'delivery', sequence],
    queryFn: ({ signal }) => get<DeliveryDetails>(at`/webhook-endpoints/${id}/deliveries/${sequence}`, { signal }),
    refetchInterval: ({ state }) => {
      if (state.data === undefined || state.data.state !== 'pending') return false;
      return isUnderWay(state.data) ? progressMillis : idleMillis;
    },
  });

export const useSendTestEvent = (id: number) =>
  useChange(() => post<SentTest>(at`/webhook-endpoints/${id}/test`), touchedByEvent);

export const useRedeliver = (id: number) =>
  useChange((sequence: number) => post<void>(at`/webhook-endpoints/${id}/deliveries/${sequence}/redeliver`), touched);

export const useReplayEvents = (id: number) =>
  useChange((body: ReplayBody) => post<Replayed, ReplayBody>(at`/webhook-endpoints/${id}/replay`, body), touched);
