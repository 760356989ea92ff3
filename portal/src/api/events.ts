import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listEvents } from './operations.gen.ts';
import type { Query } from './request.ts';
import type { ListEventsParams } from './types.gen.ts';

export const useEvents = (query: Query<ListEventsParams>) =>
  useQuery({
    queryKey: ['events', query],
    queryFn: ({ signal }) => listEvents(query, signal),
    placeholderData: keepPreviousData,
  });
