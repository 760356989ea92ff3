import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { BillingItem } from '../../../src/billing/schema.ts';
import type { ChargeType } from '../../../src/domain/enums.ts';
import type { BillingPeriod, Page, PayrollCheck } from '../../../src/portal/contract.ts';
import { read, withQuery } from './request.ts';

export const useBilling = () =>
  useQuery({ queryKey: ['billing'], queryFn: ({ signal }) => read<BillingPeriod[]>('/billing', { signal }) });

export const useBillingItems = (
  period: string,
  query: { page: number; perPage: number; chargeType?: ChargeType | undefined },
) =>
  useQuery({
    queryKey: ['billing', period, 'items', query],
    queryFn: ({ signal }) => read<Page<BillingItem>>(withQuery(`/billing/${period}/items`, query), { signal }),
    placeholderData: keepPreviousData,
  });

/** Checks the payroll file again before every download. */
export const usePayrollCheck = (period: string) =>
  useMutation({ mutationFn: () => read<PayrollCheck>(`/billing/${period}/payroll`), gcTime: 0 });

export const payrollAddress = (period: string) => `/portal/api/billing/${period}/payroll.csv`;
