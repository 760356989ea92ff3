import type { BillingPeriod } from '../../../../src/features/billing/contract.ts';
import { useGet } from '../../app/api/queries.ts';

export const useBilling = () => useGet<BillingPeriod[]>(['billing'], '/billing');
