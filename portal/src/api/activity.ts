import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listActivity } from './operations.gen.ts';
import type { Query } from './request.ts';
import type { ListActivityParams } from './types.gen.ts';

export const useActivity = (query: Query<ListActivityParams>) =>
  useQuery({
    queryKey: ['activity', query],
    queryFn: ({ signal }) => listActivity(query, signal),
    placeholderData: keepPreviousData,
  });
