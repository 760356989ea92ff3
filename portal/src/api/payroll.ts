import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useChange } from './changes.ts';
import { exportPayroll, listPayrollExports, previewPayroll, voidPayrollExport } from './operations.gen.ts';
import type { Query } from './request.ts';
import type { ListPayrollExportsParams } from './types.gen.ts';

export const usePayrollPreview = (period: string | undefined) =>
  useQuery({
    queryKey: ['payroll', 'preview', period],
    queryFn: ({ signal }) => previewPayroll(period ?? '', signal),
    enabled: period !== undefined,
  });

export const usePayrollExports = (query: Query<ListPayrollExportsParams>) =>
  useQuery({
    queryKey: ['payroll', 'exports', query],
    queryFn: ({ signal }) => listPayrollExports(query, signal),
    placeholderData: keepPreviousData,
  });

export const useExportPayroll = () => useChange((period: string) => exportPayroll(period), ['payroll', 'activity']);

export const useVoidPayrollExport = () =>
  useChange(
    ({ id, reason }: { id: number; reason: string }) => voidPayrollExport(id, { reason }),
    ['payroll', 'activity'],
  );
