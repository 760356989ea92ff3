import { operator } from '../../domain/actor.ts';
import { handFields } from '../../domain/employee.ts';
import { consentWays, requestActions, subscriptionStatuses } from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { day, flag, id, listOf, month, oneOf, required, text } from '../../platform/cli/options.ts';
import { engineCommand } from '../company-command.ts';

const decisionCommand = (name: string, decision: 'approved' | 'rejected', description: string) =>
  engineCommand({
    description,
    options: {
      integration: required(id('Id of the integration')),
      sync: required(text('sync-id', 'Id of the sync, as given when the roster was pushed')),
    },
    examples: [`sync ${name} --company 1 --integration 1 --sync 2026-11-14T02:00`],
    async load() {
      const { decideRemovals } = await import('./pending-removals.ts');
      return (context, { integration, sync: syncId }) => decideRemovals(context, { integration, syncId, decision });
    },
  });

export const syncCommands: CommandGroup = {
  description: 'Decide removals that the removal guard stopped',
  commands: {
    approve: decisionCommand('approve', 'approved', 'Apply the pending removals of a sync.'),
    reject: decisionCommand('reject', 'rejected', 'Discard the pending removals of a sync.'),
  },
};

const personnelNumber = text('number', 'The number in payroll, if it differs from the HR id');
const group = text('group', 'Their group, such as a site, to which a benefit policy can apply');

export const addEmployeeCommand = engineCommand({
  description: 'Add an employee by hand. No roster removes them, until one contains their email address.',
  options: {
    firstName: required(text('name', 'First name')),
    lastName: required(text('name', 'Last name')),
    email: required(text('address', 'Email address')),
    hrId: text('hr-id', 'Custom HR id, by which payroll knows them'),
    personnelNumber,
    dateOfBirth: day('Date of birth'),
    startDate: day('First day of employment. Default: employed already'),
    subscribe: flag('Subscribe them'),
  },
  examples: ['employee add --company 1 --first-name Eva --last-name Neu --email eva@example.com --subscribe'],
  async load() {
    const { addByHand } = await import('./by-hand.ts');
    return (context, { hrId = null, personnelNumber = null, dateOfBirth, startDate, subscribe = false, ...names }) => {
      const dates = { dateOfBirth: dateOfBirth?.toString() ?? null, startDate: startDate?.toString() ?? null };
      return addByHand(context, { ...names, ...dates, hrId, personnelNumber, subscribe }, operator);
    };
  },
});

/** Reads absences as the cells of a roster contain them: `2026-12-01/2027-02-28`, without a last day if it is open. */
const readAbsences = (list: string) =>
  list.split(',').map((one) => {
    const [startDate = '', endDate = ''] = one.trim().split('/');
    return { startDate, endDate: endDate || null };
  });

export const changeEmployeeCommand = engineCommand({
  description: 'Change what no roster says about an employee. Rosters without a value keep it.',
  options: {
    employee: required(id('Id of the employee')),
    firstName: text('name', 'First name'),
    lastName: text('name', 'Last name'),
    email: text('address', 'Email address'),
    personnelNumber,
    group,
    dateOfBirth: day('Date of birth'),
    startDate: day('First day of employment'),
    terminationDate: day('Last day of employment'),
    absences: text(
      'from/until,…',
      'All absences entered by hand, such as 2026-12-01/2027-02-28; an open end: 2026-12-01/',
    ),
    clear: listOf('fields', [...handFields, 'absences'], 'Fields to clear'),
    remove: flag('Remove the employee, if no roster contains them'),
  },
  examples: ['employee change --company 1 --employee 7 --termination-date 2026-12-15'],
  async load() {
    const { changeByHand } = await import('./by-hand.ts');
    return (context, { employee: employeeId, clear = [], remove = false, absences, ...given }) => {
      const values = Object.entries(given).filter(([, value]) => value !== undefined);
      const body = {
        ...Object.fromEntries(clear.map((field) => [field, field === 'absences' ? [] : null])),
        ...Object.fromEntries(values.map(([field, value]) => [field, String(value)])),
        ...(absences === undefined ? {} : { absences: readAbsences(absences) }),
        remove,
      };
      return changeByHand(context, { employeeId, body }, operator);
    };
  },
});

export const requestSubscriptionCommand = engineCommand({
  description: 'Subscribe employees, or pause, resume or cancel their subscriptions, for the company.',
  options: {
    employee: id('Id of one employee'),
    file: text('file', 'Table (CSV or .xlsx) with the HR ids of the employees in a column such as hrId'),
    all: flag('All employees'),
    search: text('words', 'All employees with these words in their name or email address'),
    status: listOf('list', subscriptionStatuses, 'All employees whose subscription has one of these statuses'),
    action: required(oneOf('action', requestActions, 'What to do')),
    from: month('From which month. Default: the earliest possible'),
    until: month('Of a pause: the month in which tickets resume. Default: until further notice'),
    reason: text('text', 'A remark that is stored with the request'),
    given: oneOf('how', consentWays, 'How the employees agreed. Required to restart what they have ended themselves'),
    date: day('When they agreed. Default: today'),
    dryRun: flag('Only show what the request would do'),
    out: text('file', 'Write the result of each of many employees to this CSV file'),
  },
  examples: [
    'subscription request --company 1 --employee 7 --action pause --from 2027-01-01 --until 2027-04-01',
    'subscription request --company 1 --status no-subscription --action subscribe --dry-run',
    'subscription request --company 1 --file joiners.csv --action subscribe --out result.csv',
  ],
  async load() {
    const [{ findEmployeesOfFile }, { requestByOperator }] = await Promise.all([
      import('./read-hr-ids.ts'),
      import('../subscriptions/operate.ts'),
    ]);
    return async (engine, { file, all = false, dryRun = false, ...asked }) => {
      const employeeIds = file === undefined ? undefined : await findEmployeesOfFile(engine.db, engine.companyId, file);
      return requestByOperator(engine, { ...asked, employeeIds, all, dryRun });
    };
  },
});
