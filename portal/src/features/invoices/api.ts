import { useQuery } from '@tanstack/react-query';
import type { Invoices } from '../../../../src/features/invoices/contract.ts';
import { at, get, pathTo } from '../../app/api/request.ts';

export const useInvoices = () =>
  useQuery({ queryKey: ['invoices'], queryFn: ({ signal }) => get<Invoices>('/invoices', { signal }) });

/** Returns the address of a file. The browser shows a preview instead of saving it. */
export const invoiceFilePath = (id: number, format: 'pdf' | 'xrechnung', isPreview = false) =>
  `${pathTo(at`/invoices/${id}/download`)}?format=${format}${isPreview ? '&inline=true' : ''}`;
