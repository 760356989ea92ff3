import type { ActivityEntry, ActivityQuery } from '../../../../src/features/activity/contract.ts';
import { useGetPage } from '../../app/api/queries.ts';
import type { Query } from '../../app/api/request.ts';

export const useActivity = (query: Query<ActivityQuery>) =>
  useGetPage<ActivityEntry, ActivityQuery>(['activity'], '/activity', query);
