import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  Batch,
  BatchBody,
  BatchPreview,
  PreviewBatchBody,
  UndoBatchBody,
} from '../../../../src/features/subscriptions/batches/contract.ts';
import { useGet, usePost } from '../../app/api/queries.ts';
import { at, post } from '../../app/api/request.ts';

const progressMillis = 1_000;
/** What changes with the subscriptions of many. */
export const touched = ['employees', 'agreements', 'overview', 'activity', 'documents'];

/** Fetches what a request about many would do. */
export const useBatchPreview = (body: PreviewBatchBody) =>
  useQuery({
    queryKey: ['employees', 'subscription-batches', body],
    queryFn: ({ signal }) => post<BatchPreview, PreviewBatchBody>('/subscription-batches/preview', body, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });

export const useStartBatch = () => usePost<Batch, BatchBody>('/subscription-batches', []);

export const useUndoBatch = (id: number) => usePost<Batch, UndoBatchBody>(at`/subscription-batches/${id}/undo`, []);

/** Fetches how far something about many employees is. Refetches automatically until it is finished. */
export const useBatch = (id: number | undefined) =>
  useGet<Batch>(['subscription-batch', id], at`/subscription-batches/${id ?? 0}`, {
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : progressMillis),
  });
