import { id, required } from '../../platform/cli/options.ts';
import { companyCommand } from '../company-command.ts';

export const accessLinkCommand = companyCommand({
  description: "Create a link that opens an employee's page, once and within 30 minutes. Pass it on to nobody else.",
  options: { employee: required(id('Id of the employee')) },
  examples: ['employee access-link --company 1 --employee 1'],
  load: async () => (await import('./links.ts')).createLinkForSupport,
});
