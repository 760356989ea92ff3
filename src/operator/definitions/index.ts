import { ssoCommands } from '../../features/accounts/sso/commands.ts';
import { userCommands } from '../../features/accounts/users/commands.ts';
import { priceCommands } from '../../features/billing/commands.ts';
import { companyCommands } from '../../features/companies/commands.ts';
import { caseCommands } from '../../features/connectors/cases/commands.ts';
import { integrationCommands } from '../../features/connectors/commands.ts';
import { contractCommands } from '../../features/contracts/commands.ts';
import { correctionCommands } from '../../features/corrections/commands.ts';
import { billingCommands, eraseEmployeeCommand } from '../../features/daily-run/commands.ts';
import { documentCommands } from '../../features/documents/commands.ts';
import { accessLinkCommand } from '../../features/employee-access/commands.ts';
import { employeeCommands } from '../../features/employees/commands.ts';
import { forecastCommands } from '../../features/forecast/commands.ts';
import { invoiceCommands, operatorCommands } from '../../features/invoices/commands.ts';
import { issuedTicketCommands, issuerCommands } from '../../features/issuers/commands.ts';
import { joiningCommands } from '../../features/joining/commands.ts';
import { keyCommands } from '../../features/keys/commands.ts';
import { payrollCommands } from '../../features/payroll/commands.ts';
import { addPriceCommand, policyCommands } from '../../features/policies/commands.ts';
import {
  addEmployeeCommand,
  changeEmployeeCommand,
  requestSubscriptionCommand,
  syncCommands,
} from '../../features/roster/commands.ts';
import { scimCommands } from '../../features/scim/commands.ts';
import { subscriptionCommands } from '../../features/subscriptions/commands.ts';
import { ticketCommands } from '../../features/tickets/commands.ts';
import { webhookEndpointCommands } from '../../features/webhooks/commands.ts';
import { type CommandGroup, type CommandSection, command } from '../../platform/cli/define.ts';
import { argument, text } from '../../platform/cli/options.ts';
import { operationCommands } from './operations.ts';
import { serviceCommands } from './service.ts';

const allEmployeeCommands: CommandGroup = {
  ...employeeCommands,
  commands: {
    add: addEmployeeCommand,
    change: changeEmployeeCommand,
    ...employeeCommands.commands,
    ...joiningCommands,
    'access-link': accessLinkCommand,
    erase: eraseEmployeeCommand,
  },
};

/** A case is of a pull or of SCIM, which replay it in ways of their own. */
const allCaseCommands: CommandGroup = {
  ...caseCommands,
  commands: {
    ...caseCommands.commands,
    replay: command({
      description: 'Run the connector of a case against its responses, and print the outcome. Changes nothing.',
      options: { file: argument('The file of the case', text('file', 'File of the case')) },
      examples: ['connector replay case-1.json'],
      async load() {
        const { openCase } = await import('../../features/connectors/cases/operate.ts');
        return async ({ file }, { config }) => {
          const opened = await openCase(file);
          if (opened.kind === 'pull') {
            return (await import('../../features/connectors/cases/replay.ts')).replayPull(opened);
          }
          return (await import('../../features/scim/replay-case.ts')).replayScim(config, opened);
        };
      },
    }),
  },
};

const allBillingCommands: CommandGroup = {
  description: 'Bill and correct periods, forecast coming ones',
  commands: { ...billingCommands, ...correctionCommands, ...forecastCommands },
};

const allPriceCommands: CommandGroup = {
  ...priceCommands,
  commands: { add: addPriceCommand, ...priceCommands.commands },
};

const allSubscriptionCommands: CommandGroup = {
  description: 'Change subscriptions of one or many employees, and undo it',
  commands: { request: requestSubscriptionCommand, ...subscriptionCommands },
};

const allTicketCommands: CommandGroup = {
  ...ticketCommands,
  description: 'Block and replace tickets, and verify their QR codes',
  commands: { ...issuedTicketCommands, ...ticketCommands.commands },
};

export const sections: readonly CommandSection[] = [
  { heading: 'Service:', entries: serviceCommands },
  {
    heading: 'Companies:',
    entries: {
      company: companyCommands,
      integration: integrationCommands,
      connector: allCaseCommands,
      scim: scimCommands,
      sync: syncCommands,
    },
  },
  { heading: 'Access:', entries: { key: keyCommands, user: userCommands, sso: ssoCommands } },
  {
    heading: 'Employees:',
    entries: {
      employee: allEmployeeCommands,
      subscription: allSubscriptionCommands,
      document: documentCommands,
      contract: contractCommands,
      policy: policyCommands,
    },
  },
  {
    heading: 'Billing:',
    entries: {
      billing: allBillingCommands,
      payroll: payrollCommands,
      price: allPriceCommands,
      invoice: invoiceCommands,
      operator: operatorCommands,
    },
  },
  { heading: 'Webhooks:', entries: { 'webhook-endpoint': webhookEndpointCommands } },
  { heading: 'Tickets:', entries: { issuer: issuerCommands, ticket: allTicketCommands } },
  { heading: 'Operations:', entries: operationCommands },
];
