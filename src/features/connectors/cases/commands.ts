import type { CommandGroup } from '../../../platform/cli/define.ts';
import { argument, id, required, text } from '../../../platform/cli/options.ts';
import { companyCommand } from '../../company-command.ts';

const one = { id: argument('The id of the integration', id('Id of the integration')) };
const caseId = { case: required(id('Id of the case')) };

export const caseCommands: CommandGroup = {
  description: 'Save what an HR system or identity provider sends as a case, and replay it',
  commands: {
    record: companyCommand({
      description: 'Save the next pull, or the next requests by SCIM, as a case: with pseudonyms, and without secrets.',
      options: one,
      examples: ['connector record 1 --company 1'],
      load: async () => (await import('./cases.ts')).requestCase,
    }),
    cases: companyCommand({
      description: 'List the cases of an integration.',
      options: one,
      examples: ['connector cases 1 --company 1'],
      load: async () => (await import('./cases.ts')).listCases,
    }),
    download: companyCommand({
      description: 'Write a case to a file.',
      options: { ...one, ...caseId, out: required(text('file', 'File to write')) },
      examples: ['connector download 1 --company 1 --case 1 --out case-1.json'],
      async load() {
        const { saveCaseFile } = await import('./operate.ts');
        return (context, { id: integration, case: number, out }) =>
          saveCaseFile(context, { id: integration, caseId: number, out });
      },
    }),
    erase: companyCommand({
      description: 'Erase a case.',
      options: { ...one, ...caseId },
      examples: ['connector erase 1 --company 1 --case 1'],
      async load() {
        const { deleteCase } = await import('./cases.ts');
        return async (context, { id: integration, case: number }) => {
          await deleteCase(context, { id: integration, caseId: number });
          return { id: integration, case: number };
        };
      },
    }),
  },
};
