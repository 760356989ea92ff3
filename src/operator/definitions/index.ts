import { ssoCommands } from '../../features/accounts/sso/commands.ts';
import { userCommands } from '../../features/accounts/users/commands.ts';
import { priceCommands } from '../../features/billing/commands.ts';
import { companyCommands } from '../../features/companies/commands.ts';
import { integrationCommands } from '../../features/connectors/commands.ts';
import { contractCommands } from '../../features/contracts/commands.ts';
import { billingCommands, eraseEmployeeCommand } from '../../features/daily-run/commands.ts';
import { documentCommands } from '../../features/documents/commands.ts';
import { employeeCommands } from '../../features/employees/commands.ts';
import { invoiceCommands, operatorCommands } from '../../features/invoices/commands.ts';
import { keyCommands } from '../../features/keys/commands.ts';
import { payrollCommands } from '../../features/payroll/commands.ts';
import { addEmployeeCommand, changeEmployeeCommand, syncCommands } from '../../features/roster/commands.ts';
import { ticketCommands } from '../../features/tickets/commands.ts';
import { webhookEndpointCommands } from '../../features/webhooks/commands.ts';
import type { CommandGroup, CommandSection } from '../../platform/cli/define.ts';
import { operationCommands } from './operations.ts';
import { serviceCommands } from './service.ts';

const allEmployeeCommands: CommandGroup = {
  ...employeeCommands,
  commands: {
    add: addEmployeeCommand,
    change: changeEmployeeCommand,
    ...employeeCommands.commands,
    erase: eraseEmployeeCommand,
  },
};

export const sections: readonly CommandSection[] = [
  { heading: 'Service:', entries: serviceCommands },
  {
    heading: 'Companies:',
    entries: { company: companyCommands, integration: integrationCommands, sync: syncCommands },
  },
  { heading: 'Access:', entries: { key: keyCommands, user: userCommands, sso: ssoCommands } },
  {
    heading: 'Employees:',
    entries: { employee: allEmployeeCommands, document: documentCommands, contract: contractCommands },
  },
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
  { heading: 'Webhooks:', entries: { 'webhook-endpoint': webhookEndpointCommands } },
  { heading: 'Operations:', entries: { ...operationCommands, ticket: ticketCommands } },
];
