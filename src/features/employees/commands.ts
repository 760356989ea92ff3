import type { CommandGroup } from '../../platform/cli/define.ts';
import { day, flag, id, required, text } from '../../platform/cli/options.ts';
import { operator } from '../activity/record.ts';
import { companyCommand, engineCommand } from '../company-command.ts';

const one = { employee: required(id('Id of the employee')) };

export const employeeCommands: CommandGroup = {
  description: 'Add, link, explain and erase employees',
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
    add: engineCommand({
      description: 'Add an employee by hand. No roster removes them, until one contains their email address.',
      options: {
        firstName: required(text('name', 'First name')),
        lastName: required(text('name', 'Last name')),
        email: required(text('address', 'Email address')),
        hrId: text('hr-id', 'Custom HR id, by which payroll knows them'),
        dateOfBirth: day('Date of birth'),
        startDate: day('First day of employment. Default: employed already'),
        subscribe: flag('Subscribe them'),
      },
      examples: ['employee add --company 1 --first-name Eva --last-name Neu --email eva@example.com --subscribe'],
      async load() {
        const { addByHand } = await import('./add.ts');
        return (context, { hrId = null, dateOfBirth, startDate, subscribe = false, ...names }) => {
          const dates = { dateOfBirth: dateOfBirth?.toString() ?? null, startDate: startDate?.toString() ?? null };
          return addByHand(context, { ...names, ...dates, hrId, subscribe }, operator);
        };
      },
    }),
    history: companyCommand({
      description: 'Show why the subscription of an employee has its status.',
      options: one,
      examples: ['employee history --company 1 --employee 1'],
      load: async () => (await import('./history.ts')).listHistory,
    }),
    erase: engineCommand({
      description: 'Erase a removed employee now instead of after the retention period.',
      options: one,
      examples: ['employee erase --company 1 --employee 1'],
      load: async () => (await import('../daily-run/erase-now.ts')).eraseNow,
    }),
  },
};
