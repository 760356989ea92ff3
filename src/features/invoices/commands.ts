import { invoiceFormats } from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { argument, id, oneOf, required, text } from '../../platform/cli/options.ts';
import { companyCommand, engineCommand, sharedCommand } from '../company-command.ts';

export const invoiceCommands: CommandGroup = {
  description: 'List and download invoices',
  commands: {
    list: companyCommand({
      description: 'List the invoices and credit notes of a company.',
      examples: ['invoice list --company 1'],
      load: async () => (await import('./present.ts')).describeInvoices,
    }),
    download: engineCommand({
      description: 'Save a file of an invoice.',
      options: {
        id: argument('The id of the invoice', id('Id of the invoice')),
        format: required(oneOf('format', invoiceFormats, 'PDF with embedded XML, XRechnung, or only the embedded XML')),
        out: required(text('file', 'File to write')),
      },
      examples: ['invoice download 1 --company 1 --format pdf --out invoice.pdf'],
      load: async () => (await import('./download.ts')).saveInvoice,
    }),
  },
};

export const operatorCommands: CommandGroup = {
  description: 'Set what the operator states on invoices',
  commands: {
    set: sharedCommand({
      description: 'Set the name, address, tax and bank data that stand on invoices from now on.',
      options: { seller: required(text('file', 'JSON file with the data of the seller')) },
      examples: ['operator set --seller seller.json'],
      load: async () => (await import('./seller.ts')).setSeller,
    }),
    show: sharedCommand({
      description: 'Show the data of the seller.',
      examples: ['operator show'],
      async load() {
        const { findSeller } = await import('./seller.ts');
        return async ({ tx }) => ({ seller: (await findSeller(tx)) ?? null });
      },
    }),
  },
};
