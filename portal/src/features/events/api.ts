import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { EventsQuery, LoggedEvent } from '../../../../src/features/events/contract.ts';
import { get, type Page, type Query } from '../../app/api/request.ts';

export const useEvents = (query: Query<EventsQuery>) =>
  useQuery({
    queryKey: ['events', query],
    queryFn: ({ signal }) => get<Page<LoggedEvent>, EventsQuery>('/events', { query, signal }),
    placeholderData: keepPreviousData,
  });
