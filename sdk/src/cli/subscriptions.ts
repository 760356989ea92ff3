import type { NewSubscriptionRequest, SubscriptionRequest } from '../types.gen.ts';
import { type Command, type CommandContext, choiceOf, textOf } from './define.ts';
import { findEmployee, nameOf } from './employees.ts';
import { CommandError, exitCodes, usageError } from './errors.ts';
import { ask, formatTable, print, printable, printJson } from './terminal.ts';

const actions = ['subscribe', 'pause', 'resume', 'cancel'] as const;

/** Returns the first day of a month. Accepts `2027-01` and `2027-01-01`. */
function monthOf(context: CommandContext, name: string): string | undefined {
  const text = textOf(context, name);
  if (text === undefined) return undefined;
  const month = /^(\d{4}-\d{2})(-01)?$/.exec(text)?.[1];
  if (month === undefined) throw usageError(`--${name} ${printable(text)}: use a month, such as 2027-01.`);
  return `${month}-01`;
}

function readRequest(context: CommandContext): NewSubscriptionRequest {
  const action = choiceOf(context, 'action', actions);
  if (action === undefined) throw usageError(`Name what to do with --action: ${actions.join(', ')}.`);
  const [from, until, reason] = [monthOf(context, 'from'), monthOf(context, 'until'), textOf(context, 'reason')];
  return { action, ...(from && { from }), ...(until && { until }), ...(reason && { reason }) };
}

function describe({ action, from, until, subscription, undoUntil }: SubscriptionRequest): string {
  const { status, upcoming, nextTicketAt } = subscription;
  const next = upcoming === null ? '' : `, ${upcoming.type} on ${upcoming.at}`;
  const rows: [string, string | null][] = [
    ['action', action],
    ['from', from],
    ['until', until],
    ['status then', `${status}${next}`],
    ['next ticket', nextTicketAt ?? 'none'],
    ['undo until', undoUntil],
  ];
  const shown = rows.filter(([, value]) => value !== null);
  return shown.map(([name, value]) => `${name.padEnd(14)} ${value}\n`).join('');
}

/** Throws unless somebody agrees. */
async function confirm({ terminal, options, signal }: CommandContext): Promise<void> {
  if (options.yes) return;
  const answer = await ask(terminal, { text: 'Continue? [y/N] ', signal });
  if (/^(y|yes|j|ja)$/i.test(answer ?? '')) return;
  const hint = answer === undefined ? ' Nobody is here to ask: check the request with --dry-run, then use --yes.' : '';
  throw new CommandError(`Nothing was changed.${hint}`, exitCodes.notConfirmed);
}

const request: Command = {
  name: 'subscriptions request',
  operands: '<id|email|hr:ID>',
  description: 'Subscribe an employee, or pause, resume or cancel their subscription',
  options: {
    action: { type: 'string', value: 'ACTION', choices: actions, description: actions.join(', ') },
    from: { type: 'string', value: 'MONTH', description: 'From this month (default: the earliest possible)' },
    until: { type: 'string', value: 'MONTH', description: 'Of a pause: tickets resume in this month' },
    reason: { type: 'string', value: 'TEXT', description: 'A remark that is stored with the request' },
    'dry-run': { type: 'boolean', description: 'Only show what would happen' },
    yes: { type: 'boolean', description: 'Do not ask' },
  },
  async run(context) {
    const { terminal, options, signal } = context;
    const wanted = readRequest(context);
    const client = context.connect();
    const employee = await findEmployee(client, context);
    const preview = await client.employees.requestSubscriptionChange(employee.id, wanted, { dryRun: true, signal });
    if (!terminal.isJson) await print(terminal, `${printable(nameOf(employee))}\n${describe(preview)}`);
    if (options['dry-run']) {
      if (terminal.isJson) await printJson(terminal, preview);
      return undefined;
    }
    await confirm(context);
    const applied = await client.employees.requestSubscriptionChange(employee.id, wanted, { signal });
    if (terminal.isJson) await printJson(terminal, applied);
    else await print(terminal, `Done: request ${applied.id}.\n`);
    return undefined;
  },
};

const list: Command = {
  name: 'subscriptions requests',
  operands: '<id|email|hr:ID>',
  description: 'List who asked for which change of a subscription',
  options: {},
  async run(context) {
    const { terminal, signal } = context;
    const client = context.connect();
    const { id } = await findEmployee(client, context);
    const requests = await client.employees.subscriptionRequests(id, { signal }).toArray();
    if (terminal.isJson) {
      await printJson(terminal, requests);
      return undefined;
    }
    const rows = requests.map((one) => [
      ...[one.id, one.requestedAt, one.requestedBy, one.action, one.from, one.until, one.status, one.reason],
    ]);
    const headings = ['id', 'requested', 'by', 'action', 'from', 'until', 'status', 'reason'];
    await print(terminal, formatTable(headings, rows));
    return undefined;
  },
};

export const subscriptionCommands = [request, list];
