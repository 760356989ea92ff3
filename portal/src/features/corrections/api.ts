import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  Corrections,
  CorrectionsBody,
  KeepBody,
  Proposals,
} from '../../../../src/features/corrections/contract.ts';
import { useGet, usePost } from '../../app/api/queries.ts';
import { post } from '../../app/api/request.ts';

const touched = ['billing', 'corrections', 'employees', 'overview', 'payroll', 'month-end', 'activity'];

export const useProposals = () => useGet<Proposals>(['corrections'], '/billing/corrections/proposals');

export const useCorrectionPreview = (body: CorrectionsBody) =>
  useQuery({
    queryKey: ['corrections', 'preview', body],
    queryFn: () => post<Corrections, CorrectionsBody>('/billing/corrections/preview', body),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });

export const useCorrect = () => usePost<Corrections, CorrectionsBody>('/billing/corrections', touched);

export const useKeep = () => usePost<undefined, KeepBody>('/billing/corrections/kept', touched);
