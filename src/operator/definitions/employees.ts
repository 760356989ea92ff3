import { consentWays } from '../../domain/enums.ts';
import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { companyId, day, flag, id, oneOf, required, text } from '../../platform/cli/options.ts';

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

const contract: CommandGroup = {
  description: 'Record decisions about contracts',
  commands: {
    decide: command({
      description: 'Record whether employees accepted or rejected the contract.',
      options: {
        company: anEmployee.company,
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
      load: async () => (await import('../../features/contracts/commands.ts')).decideContract,
    }),
  },
};

export const employeeCommands = { employee, contract };
