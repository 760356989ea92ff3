import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listEvents } from '../../app/api/operations.gen.ts';
import type { Query } from '../../app/api/request.ts';
import type { ListEventsParams } from '../../app/api/types.gen.ts';

export const useEvents = (query: Query<ListEventsParams>) =>
  useQuery({
    queryKey: ['events', query],
    queryFn: ({ signal }) => listEvents(query, signal),
    placeholderData: keepPreviousData,
  });
