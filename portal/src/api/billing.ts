import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { checkPayroll, listBillingItems, listBillingPeriods } from './operations.gen.ts';
import type { Query } from './request.ts';
import type { ListBillingItemsParams } from './types.gen.ts';

export const useBilling = () =>
  useQuery({ queryKey: ['billing'], queryFn: ({ signal }) => listBillingPeriods(signal) });

export const useBillingItems = (period: string, query: Query<ListBillingItemsParams>) =>
  useQuery({
    queryKey: ['billing', period, 'items', query],
    queryFn: ({ signal }) => listBillingItems(period, query, signal),
    placeholderData: keepPreviousData,
  });

/** Checks the payroll file again before every download. */
export const usePayrollCheck = (period: string) => useMutation({ mutationFn: () => checkPayroll(period), gcTime: 0 });
