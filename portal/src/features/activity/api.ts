import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ActivityEntry, ActivityQuery } from '../../../../src/features/activity/contract.ts';
import { get, type Page, type Query } from '../../app/api/request.ts';

export const useActivity = (query: Query<ActivityQuery>) =>
  useQuery({
    queryKey: ['activity', query],
    queryFn: ({ signal }) => get<Page<ActivityEntry>, ActivityQuery>('/activity', { query, signal }),
    placeholderData: keepPreviousData,
  });
