import type { Overview } from '../../../../src/portal/contract.ts';
import { useGet } from '../../app/api/queries.ts';

export const useOverview = () => useGet<Overview>(['overview'], '/overview');
