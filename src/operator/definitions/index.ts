import { billingCommands, priceCommands } from '../../features/billing/commands.ts';
import { documentCommands } from '../../features/documents/commands.ts';
import { invoiceCommands, operatorCommands } from '../../features/invoices/commands.ts';
import { keyCommands } from '../../features/keys/commands.ts';
import { payrollCommands } from '../../features/payroll/commands.ts';
import { ticketCommands } from '../../features/tickets/commands.ts';
import { webhookCommands } from '../../features/webhooks/commands.ts';
import type { CommandSection } from '../../platform/cli/define.ts';
import { accessCommands } from './access.ts';
import { companyCommands } from './companies.ts';
import { employeeCommands } from './employees.ts';
import { operationCommands } from './operations.ts';
import { serviceCommands } from './service.ts';

const { employee, contract } = employeeCommands;

/** Every command of the program, in the order of the help. */
export const sections: readonly CommandSection[] = [
  { heading: 'Service:', entries: serviceCommands },
  { heading: 'Companies:', entries: companyCommands },
  { heading: 'Access:', entries: { key: keyCommands, ...accessCommands } },
  { heading: 'Employees:', entries: { employee, document: documentCommands, contract } },
  {
    heading: 'Billing:',
    entries: {
      billing: billingCommands,
      payroll: payrollCommands,
      price: priceCommands,
      invoice: invoiceCommands,
      operator: operatorCommands,
    },
  },
  { heading: 'Webhooks:', entries: { webhook: webhookCommands } },
  { heading: 'Operations:', entries: { ...operationCommands, ticket: ticketCommands } },
];
