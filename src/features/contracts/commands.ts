import { consentWays } from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { day, flag, id, oneOf, required, text } from '../../platform/cli/options.ts';
import { engineCommand } from '../company-command.ts';

export const contractCommands: CommandGroup = {
  description: 'Record decisions about contracts',
  commands: {
    decide: engineCommand({
      description: 'Record whether employees accepted or rejected the contract.',
      options: {
        employee: id('Id of one employee'),
        allPending: flag('All employees whose contract is pending'),
        file: text('file', 'Table (CSV or .xlsx) with the HR ids of the employees in a column such as hrId'),
        decision: required(oneOf('decision', ['accepted', 'rejected'], 'Decision of the employee')),
        given: oneOf('how', consentWays, 'How they agreed. Default: the agreement says only that it was recorded'),
        date: day('When they agreed. Default: today'),
      },
      examples: [
        'contract decide --company 1 --employee 1 --decision accepted',
        'contract decide --company 1 --all-pending --decision accepted',
        'contract decide --company 1 --file signed.csv --decision accepted --given on-paper --date 2026-11-02',
      ],
      load: async () => (await import('./decide-by-operator.ts')).decideByOperator,
    }),
  },
};
