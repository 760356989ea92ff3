import { webhookCommands } from '../../features/webhooks/commands.ts';
import type { CommandSection } from '../../platform/cli/define.ts';
import { accessCommands } from './access.ts';
import { companyCommands } from './companies.ts';
import { employeeCommands } from './employees.ts';
import { billingCommands, operationCommands } from './operations.ts';
import { serviceCommands } from './service.ts';

/** Every command of the program, in the order of the help. */
export const sections: readonly CommandSection[] = [
  { heading: 'Service:', entries: serviceCommands },
  { heading: 'Companies:', entries: companyCommands },
  { heading: 'Access:', entries: accessCommands },
  { heading: 'Employees:', entries: employeeCommands },
  { heading: 'Billing:', entries: billingCommands },
  { heading: 'Webhooks:', entries: { webhook: webhookCommands } },
  { heading: 'Operations:', entries: operationCommands },
];
