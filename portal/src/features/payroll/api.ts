import type {
  PayrollExport,
  PayrollExportsQuery,
  PayrollPreview,
  VoidBody,
} from '../../../../src/features/payroll/contract.ts';
import { useChange } from '../../app/api/changes.ts';
import { useGet, useGetPage } from '../../app/api/queries.ts';
import { at, post, type Query } from '../../app/api/request.ts';

export const usePayrollPreview = (period: string | undefined) =>
  useGet<PayrollPreview>(['payroll', 'preview', period], at`/payroll/${period ?? ''}`, {
    enabled: period !== undefined,
  });

export const usePayrollExports = (query: Query<PayrollExportsQuery>) =>
  useGetPage<PayrollExport, PayrollExportsQuery>(['payroll', 'exports'], '/payroll/exports', query);

export const useExportPayroll = () =>
  useChange((period: string) => post<PayrollExport>(at`/payroll/${period}`), ['payroll', 'activity']);

export const useVoidPayrollExport = () =>
  useChange(
    ({ id, reason }: { id: number; reason: string }) =>
      post<PayrollExport, VoidBody>(at`/payroll/exports/${id}/void`, { reason }),
    ['payroll', 'activity'],
  );
