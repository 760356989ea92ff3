import type { CommandGroup } from '../../platform/cli/define.ts';
import { id, required, text } from '../../platform/cli/options.ts';
import { companyCommand } from '../company-command.ts';

const one = { employee: required(id('Id of the employee')) };

/**
 * `add` and `change` are in roster/commands.ts and `erase` in daily-run/commands.ts: they need the roster's rules and the
 * daily run. `access-link` is in employee-access/commands.ts.
 */
export const employeeCommands: CommandGroup = {
  description: 'Add, change, link, explain and erase employees',
  commands: {
    link: companyCommand({
      description: 'Link an employee to a custom HR id.',
      options: { ...one, hrId: required(text('hr-id', 'Id of the employee in the HR system')) },
      examples: ['employee link --company 1 --employee 1 --hr-id X-17'],
      async load() {
        const { linkEmployee } = await import('./custom-link.ts');
        return (context, { employee: employeeId, hrId }) => linkEmployee(context, { employeeId, hrId });
      },
    }),
    unlink: companyCommand({
      description: 'Remove a custom HR id of an employee.',
      options: { ...one, hrId: required(text('hr-id', 'The custom HR id')) },
      examples: ['employee unlink --company 1 --employee 1 --hr-id X-17'],
      async load() {
        const { unlinkEmployee } = await import('./custom-link.ts');
        return (context, { employee: employeeId, hrId }) => unlinkEmployee(context, { employeeId, hrId });
      },
    }),
    history: companyCommand({
      description: 'Show why the subscription of an employee has its status.',
      options: one,
      examples: ['employee history --company 1 --employee 1'],
      load: async () => (await import('./history.ts')).listHistory,
    }),
  },
};
