import type { BillingPeriod, ExplainedItem, ItemsQuery } from '../../../../src/features/billing/contract.ts';
import { useGet, useGetPage } from '../../app/api/queries.ts';
import { at, type Query } from '../../app/api/request.ts';

export const useBilling = () => useGet<BillingPeriod[]>(['billing'], '/billing');

export const useBillingItems = (period: string, query: Query<ItemsQuery>) =>
  useGetPage<ExplainedItem, ItemsQuery>(['billing', period, 'items'], at`/billing/${period}/items`, query);
