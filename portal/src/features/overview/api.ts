import { useQuery } from '@tanstack/react-query';
import { getOverview } from '../../app/api/operations.gen.ts';

export const useOverview = () => useQuery({ queryKey: ['overview'], queryFn: ({ signal }) => getOverview(signal) });
