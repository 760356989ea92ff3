import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useChange } from '../../app/api/changes.ts';
import { exportPayroll, listPayrollExports, previewPayroll, voidPayrollExport } from '../../app/api/operations.gen.ts';
import type { Query } from '../../app/api/request.ts';
import type { ListPayrollExportsParams } from '../../app/api/types.gen.ts';

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
