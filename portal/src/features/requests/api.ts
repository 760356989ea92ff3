import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { RequestsPage, RequestsQuery } from '../../../../src/features/requests/contract.ts';
import { get, type Query } from '../../app/api/request.ts';

const perPage = 50;

/** The API writes its log a moment after its responses. So a request that is not there yet is looked for again. */
const [firstWaitMillis, maxLooks] = [1_000, 7];

/** Fetches the newest requests, and older ones page by page. */
export const useRequests = (query: Query<Omit<RequestsQuery, 'before' | 'perPage'>>) =>
  useInfiniteQuery({
    queryKey: ['requests', query],
    queryFn: ({ pageParam, signal }) =>
      get<RequestsPage, RequestsQuery>('/requests', { query: { ...query, perPage, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data, dataUpdateCount: looks } }) =>
      query.requestId !== undefined && data?.pages[0]?.data.length === 0 && looks < maxLooks
        ? firstWaitMillis * 2 ** (looks - 1)
        : false,
  });
