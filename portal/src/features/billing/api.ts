import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BillingPeriod, ExplainedItem, ItemsQuery } from '../../../../src/features/billing/contract.ts';
import { at, get, type Page, type Query } from '../../app/api/request.ts';

export const useBilling = () =>
  useQuery({ queryKey: ['billing'], queryFn: ({ signal }) => get<BillingPeriod[]>('/billing', { signal }) });

export const useBillingItems = (period: string, query: Query<ItemsQuery>) =>
  useQuery({
    queryKey: ['billing', period, 'items', query],
    queryFn: ({ signal }) => get<Page<ExplainedItem>, ItemsQuery>(at`/billing/${period}/items`, { query, signal }),
    placeholderData: keepPreviousData,
  });
