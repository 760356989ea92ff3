import { useQuery } from '@tanstack/react-query';
import { downloadInvoicePath, listInvoices } from '../../app/api/operations.gen.ts';

export const useInvoices = () => useQuery({ queryKey: ['invoices'], queryFn: ({ signal }) => listInvoices(signal) });

/** Returns the address of a file. The browser shows a preview instead of saving it. */
export const invoiceFilePath = (id: number, format: 'pdf' | 'xrechnung', isPreview = false) =>
  `${downloadInvoicePath(id)}?format=${format}${isPreview ? '&inline=true' : ''}`;
