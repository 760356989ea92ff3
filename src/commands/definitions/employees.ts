import { type CommandGroup, command } from '../define.ts';
import { companyId, id, oneOf, required, text } from '../options.ts';

const anEmployee = { company: required(companyId()), employee: required(id('Id of the employee')) };

const employee: CommandGroup = {
  description: 'Link, explain and erase employees',
  commands: {
    link: command({
      description: 'Link an employee to a custom HR id.',
      options: { ...anEmployee, hrId: required(text('hr-id', 'Id of the employee in the HR system')) },
      examples: ['employee link --company 1 --employee 1 --hr-id X-17'],
      load: async () => (await import('../employee.ts')).linkEmployee,
    }),
    history: command({
      description: 'Show why the subscription of an employee has its status.',
      options: anEmployee,
      examples: ['employee history --company 1 --employee 1'],
      load: async () => (await import('../employee.ts')).listHistory,
    }),
    erase: command({
      description: 'Erase a removed employee now instead of after the retention period.',
      options: anEmployee,
      examples: ['employee erase --company 1 --employee 1'],
      load: async () => (await import('../employee.ts')).eraseEmployee,
    }),
  },
};

const document: CommandGroup = {
  description: 'Add documents of employees',
  commands: {
    add: command({
      description: 'Add a file to the documents of an employee.',
      options: {
        ...anEmployee,
        file: required(text('file', 'File to add')),
        name: required(text('name', 'Name of the document')),
      },
      examples: ['document add --company 1 --employee 1 --file contract.pdf --name Contract'],
      load: async () => (await import('../document.ts')).addDocument,
    }),
  },
};

const contract: CommandGroup = {
  description: 'Record decisions about contracts',
  commands: {
    decide: command({
      description: 'Record whether an employee accepted or rejected the contract.',
      options: {
        ...anEmployee,
        decision: required(oneOf('decision', ['accepted', 'rejected'], 'Decision of the employee')),
      },
      examples: ['contract decide --company 1 --employee 1 --decision accepted'],
      load: async () => (await import('../contract.ts')).decideContract,
    }),
  },
};

export const employeeCommands = { employee, document, contract };
