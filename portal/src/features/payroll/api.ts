import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  PayrollExport,
  PayrollExportsQuery,
  PayrollPreview,
  VoidBody,
} from '../../../../src/features/payroll/contract.ts';
import { useChange } from '../../app/api/changes.ts';
import { at, get, type Page, post, type Query } from '../../app/api/request.ts';

export const usePayrollPreview = (period: string | undefined) =>
  useQuery({
    queryKey: ['payroll', 'preview', period],
    queryFn: ({ signal }) => get<PayrollPreview>(at`/payroll/${period ?? ''}`, { signal }),
    enabled: period !== undefined,
  });

export const usePayrollExports = (query: Query<PayrollExportsQuery>) =>
  useQuery({
    queryKey: ['payroll', 'exports', query],
    queryFn: ({ signal }) => get<Page<PayrollExport>, PayrollExportsQuery>('/payroll/exports', { query, signal }),
    placeholderData: keepPreviousData,
  });

export const useExportPayroll = () =>
  useChange((period: string) => post<PayrollExport>(at`/payroll/${period}`), ['payroll', 'activity']);

export const useVoidPayrollExport = () =>
  useChange(
    ({ id, reason }: { id: number; reason: string }) =>
      post<PayrollExport, VoidBody>(at`/payroll/exports/${id}/void`, { reason }),
    ['payroll', 'activity'],
  );
