import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { companyId, day, flag, id, required, text } from '../../platform/cli/options.ts';

const anEmployee = { company: required(companyId()), employee: required(id('Id of the employee')) };

const employee: CommandGroup = {
  description: 'Add, link, explain and erase employees',
  commands: {
    link: command({
      description: 'Link an employee to a custom HR id.',
      options: { ...anEmployee, hrId: required(text('hr-id', 'Id of the employee in the HR system')) },
      examples: ['employee link --company 1 --employee 1 --hr-id X-17'],
      load: async () => (await import('../../features/employees/commands.ts')).linkEmployee,
    }),
    unlink: command({
      description: 'Remove a custom HR id of an employee.',
      options: { ...anEmployee, hrId: required(text('hr-id', 'The custom HR id')) },
      examples: ['employee unlink --company 1 --employee 1 --hr-id X-17'],
      load: async () => (await import('../../features/employees/commands.ts')).unlinkEmployee,
    }),
    add: command({
      description: 'Add an employee by hand. No roster removes them, until one contains their email address.',
      options: {
        company: anEmployee.company,
        firstName: required(text('name', 'First name')),
        lastName: required(text('name', 'Last name')),
        email: required(text('address', 'Email address')),
        hrId: text('hr-id', 'Custom HR id, by which payroll knows them'),
        dateOfBirth: day('Date of birth'),
        startDate: day('First day of employment. Default: employed already'),
        subscribe: flag('Subscribe them'),
      },
      examples: ['employee add --company 1 --first-name Eva --last-name Neu --email eva@example.com --subscribe'],
      load: async () => (await import('../../features/employees/commands.ts')).addEmployeeByHand,
    }),
    history: command({
      description: 'Show why the subscription of an employee has its status.',
      options: anEmployee,
      examples: ['employee history --company 1 --employee 1'],
      load: async () => (await import('../../features/employees/commands.ts')).listHistory,
    }),
    erase: command({
      description: 'Erase a removed employee now instead of after the retention period.',
      options: anEmployee,
      examples: ['employee erase --company 1 --employee 1'],
      load: async () => (await import('../../features/employees/commands.ts')).eraseEmployee,
    }),
  },
};

export const employeeCommands = { employee };
