import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../../../src/portal/contract.ts';
import { read } from './request.ts';

export const useOverview = () =>
  useQuery({ queryKey: ['overview'], queryFn: ({ signal }) => read<Overview>('/overview', { signal }) });
