import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listBillingItems, listBillingPeriods } from './operations.gen.ts';
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
