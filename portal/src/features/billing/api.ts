import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listBillingItems, listBillingPeriods } from '../../app/api/operations.gen.ts';
import type { Query } from '../../app/api/request.ts';
import type { ListBillingItemsParams } from '../../app/api/types.gen.ts';

export const useBilling = () =>
  useQuery({ queryKey: ['billing'], queryFn: ({ signal }) => listBillingPeriods(signal) });

export const useBillingItems = (period: string, query: Query<ListBillingItemsParams>) =>
  useQuery({
    queryKey: ['billing', period, 'items', query],
    queryFn: ({ signal }) => listBillingItems(period, query, signal),
    placeholderData: keepPreviousData,
  });
