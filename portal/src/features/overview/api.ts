import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../../../../src/portal/contract.ts';
import { get } from '../../app/api/request.ts';

export const useOverview = () =>
  useQuery({ queryKey: ['overview'], queryFn: ({ signal }) => get<Overview>('/overview', { signal }) });
