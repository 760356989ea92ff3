import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listActivity } from '../../app/api/operations.gen.ts';
import type { Query } from '../../app/api/request.ts';
import type { ListActivityParams } from '../../app/api/types.gen.ts';

export const useActivity = (query: Query<ListActivityParams>) =>
  useQuery({
    queryKey: ['activity', query],
    queryFn: ({ signal }) => listActivity(query, signal),
    placeholderData: keepPreviousData,
  });
