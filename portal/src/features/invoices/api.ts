import type { Invoices } from '../../../../src/features/invoices/contract.ts';
import { useGet } from '../../app/api/queries.ts';
import { at, pathTo } from '../../app/api/request.ts';

export const useInvoices = () => useGet<Invoices>(['invoices'], '/invoices');

/** Returns the address of a file. The browser shows a preview instead of saving it. */
export const invoiceFilePath = (id: number, format: 'pdf' | 'xrechnung', isPreview = false) =>
  `${pathTo(at`/invoices/${id}/download`)}?format=${format}${isPreview ? '&inline=true' : ''}`;
