import type { TransitBenefits } from '../client.ts';
import type { Employee, SubscriptionHistoryEntry } from '../types.gen.ts';
import { type Command, type CommandContext, listOf, numberOf, textOf } from './define.ts';
import { CommandError, exitCodes, usageError } from './errors.ts';
import { formatTable, note, print, printable, printJson } from './terminal.ts';

const statuses = [
  'no-subscription',
  'scheduled',
  'active',
  'scheduled-pause',
  'paused',
  'scheduled-cancellation',
  'cancelled',
] as const;
const plans = ['fully-subsidized-plan', 'deferred-plan', 'split-pay-plan'] as const;

export const nameOf = ({ firstName, lastName }: Employee) => `${firstName} ${lastName}`;
const hrIdsOf = ({ hrIntergartionLinks: links }: Employee) => links.map(({ hrId }) => hrId).join(', ');

const list: Command = {
  name: 'employees list',
  description: 'List employees',
  options: {
    search: { type: 'string', value: 'TEXT', description: 'Words in the name or email address' },
    status: { type: 'string', value: 'STATUS', multiple: true, choices: statuses, description: 'Only these statuses' },
    plan: { type: 'string', value: 'PLAN', multiple: true, choices: plans, description: 'Only these plans' },
    integration: { type: 'string', value: 'ID', description: 'Only employees of this integration' },
    limit: { type: 'string', value: 'N', description: 'At most so many (default 100)' },
  },
  async run(context) {
    const { terminal, connect, signal } = context;
    const limit = numberOf(context, 'limit') ?? 100;
    const found = connect().employees.list({
      search: textOf(context, 'search'),
      statuses: listOf(context, 'status', statuses),
      planTypes: listOf(context, 'plan', plans),
      hrIntegrationId: numberOf(context, 'integration'),
      signal,
    });
    const employees = await found.toArray(limit);
    if (terminal.isJson) {
      await printJson(terminal, employees);
      return undefined;
    }
    const rows = employees.map((one) => [
      one.id,
      hrIdsOf(one),
      nameOf(one),
      one.email,
      one.subscription.status,
      one.subscription.nextTicketAt,
    ]);
    await print(terminal, formatTable(['id', 'HR id', 'name', 'email', 'status', 'next ticket'], rows));
    if (employees.length === limit) {
      const total = await found.count();
      if (total > limit) note(terminal, `${total} in total. --limit ${total} shows all of them.`);
    }
    return undefined;
  },
};

/** Finds the employee that a word means: an id, an email address, or an HR id after `hr:`. */
export async function findEmployee(client: TransitBenefits, { words, signal }: CommandContext): Promise<Employee> {
  const [word, ...others] = words;
  if (word === undefined || others.length > 0)
    throw usageError('Name one employee: an id, an email address, or hr:ID.');
  if (/^\d+$/.test(word)) return client.employees.get(Number(word), { signal });
  const filter = word.startsWith('hr:') ? { hrIds: [word.slice(3)] } : { emails: [word] };
  const found = await client.employees.list({ ...filter, signal }).toArray(2);
  const [employee] = found;
  if (employee === undefined) throw new CommandError(`There is no employee ${printable(word)}.`, exitCodes.notFound);
  if (found.length > 1) throw usageError(`Several employees have the HR id ${word.slice(3)}. Use the id instead.`);
  return employee;
}

function describe(employee: Employee): string {
  const { subscription, plan, ticket } = employee;
  const rows: [string, string | number | null][] = [
    ['id', employee.id],
    ['name', nameOf(employee)],
    ['email', employee.email],
    ['date of birth', employee.dateOfBirth],
    ['HR ids', hrIdsOf(employee) || null],
    ['status', subscription.status],
    ['started', subscription.startAt],
    ['paused', subscription.pausedAt],
    ['reactivated', subscription.reactivatedAt],
    ['cancelled', subscription.cancelledAt],
    ['upcoming', subscription.upcoming && `${subscription.upcoming.type} on ${subscription.upcoming.at}`],
    ['next ticket', subscription.nextTicketAt],
    ['plan', plan.type],
    ['contract', plan.contractSigningStatus],
    ['contribution', plan.employeeContributionAmount?.label ?? null],
    ['ticket', ticket === null ? null : `${ticket.ticketId}, valid until ${ticket.validUntil}`],
  ];
  const shown = rows.filter(([, value]) => value !== null);
  return shown.map(([name, value]) => `${name.padEnd(14)} ${printable(String(value))}\n`).join('');
}

const show: Command = {
  name: 'employees show',
  operands: '<id|email|hr:ID>',
  description: 'Show one employee',
  options: {},
  async run(context) {
    const employee = await findEmployee(context.connect(), context);
    if (context.terminal.isJson) await printJson(context.terminal, employee);
    else await print(context.terminal, describe(employee));
    return undefined;
  },
};

const describeChange = ({ knownOn, effectiveOn, from, to, detail, syncId }: SubscriptionHistoryEntry) =>
  `${knownOn}  ${from} → ${to}${effectiveOn === knownOn ? '' : `, effective ${effectiveOn}`}\n` +
  `            ${printable(detail)}${syncId === null ? '' : ` (sync ${printable(syncId)})`}\n`;

const explain: Command = {
  name: 'employees explain',
  operands: '<id|email|hr:ID>',
  description: 'Show why the subscription of an employee has its status',
  options: {},
  async run(context) {
    const { terminal, signal } = context;
    const client = context.connect();
    const employee = await findEmployee(client, context);
    const history = await client.employees.history(employee.id, { signal }).toArray();
    if (terminal.isJson) {
      await printJson(terminal, { employeeId: employee.id, subscription: employee.subscription, history });
      return undefined;
    }
    const { status, nextTicketAt } = employee.subscription;
    const next = nextTicketAt === null ? 'no further ticket' : `next ticket ${nextTicketAt}`;
    await print(terminal, `${printable(nameOf(employee))}: ${status}, ${next}\n\n`);
    await print(terminal, history.map(describeChange).join('') || 'Nothing has happened yet.\n');
    return undefined;
  },
};

export const employeeCommands = [list, show, explain];
