import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ActorType } from '../../../src/domain/enums.ts';
import type { ActivityEntry, Page } from '../../../src/portal/contract.ts';
import { read, withQuery } from './request.ts';

export interface ActivityQuery {
  page: number;
  perPage: number;
  actorType?: ActorType | undefined;
  action?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export const useActivity = (query: ActivityQuery) =>
  useQuery({
    queryKey: ['activity', query],
    queryFn: ({ signal }) => read<Page<ActivityEntry>>(withQuery('/activity', { ...query }), { signal }),
    placeholderData: keepPreviousData,
  });
