import type { CommandGroup } from '../../platform/cli/define.ts';
import { id, required, text } from '../../platform/cli/options.ts';
import { companyCommand } from '../company-command.ts';

export const documentCommands: CommandGroup = {
  description: 'Add documents of companies and employees',
  commands: {
    add: companyCommand({
      description: 'Add a file to the documents of an employee, or of the company without --employee.',
      options: {
        employee: id('Id of the employee'),
        file: required(text('file', 'File to add')),
        name: required(text('name', 'Name of the document')),
      },
      examples: [
        'document add --company 1 --employee 1 --file contract.pdf --name Contract',
        'document add --company 1 --file framework.pdf --name "Framework agreement"',
      ],
      load: async () => (await import('./add.ts')).addFile,
    }),
  },
};
