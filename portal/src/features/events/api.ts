import type { EventsQuery, LoggedEvent } from '../../../../src/features/events/contract.ts';
import { useGetPage } from '../../app/api/queries.ts';
import type { Query } from '../../app/api/request.ts';

export const useEvents = (query: Query<EventsQuery>) =>
  useGetPage<LoggedEvent, EventsQuery>(['events'], '/events', query);
