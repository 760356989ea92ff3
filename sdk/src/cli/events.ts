import type { Event, ListEventsQuery } from '../types.gen.ts';
import { signWebhook } from '../webhooks.ts';
import { type Command, type CommandContext, listOf, numberOf, textOf } from './define.ts';
import { usageError } from './errors.ts';
import { note, print, printable, type Terminal } from './terminal.ts';

type EventType = NonNullable<ListEventsQuery['types']>[number];

/** A record, so that the compiler reports a missing type. */
const known: Record<EventType, true> = {
  'employee-subscription-changed': true,
  'employee-created': true,
  'employee-removed': true,
  'new-employee-document-generated': true,
  'tickets-issued': true,
  'ticket-differences-found': true,
  'billing-items-created': true,
  'sync-finished': true,
  'sync-removals-held': true,
  'hr-integration-status-changed': true,
  'roster-overdue': true,
  'payroll-export-ready': true,
  'invoice-issued': true,
  'webhook-test': true,
};
const eventTypes = Object.keys(known) as EventType[];

const followOptions = {
  after: { type: 'string', value: 'SEQUENCE', description: 'Begin after this event (default: only new events)' },
  type: { type: 'string', value: 'TYPE', multiple: true, choices: eventTypes, description: 'Only these types' },
} as const;

/** Yields events until the command is interrupted. */
async function* follow(context: CommandContext): AsyncGenerator<Event> {
  const { terminal, signal } = context;
  const types = listOf(context, 'type', eventTypes);
  const { events } = context.connect();
  const after = numberOf(context, 'after') ?? (await events.newest({ signal }));
  note(terminal, `Waiting for events after ${after}. Ctrl-C ends it.`);
  const onError = (error: unknown) => note(terminal, `${(error as Error).message} Trying again.`);
  yield* events.follow({ after, types, signal, pollMs: 1000, onError });
}

/** Writes one line per event, so that other programs can read them as they come. */
const printLine = (terminal: Terminal, value: object, text: string) =>
  print(terminal, `${terminal.isJson ? JSON.stringify(value) : text}\n`);

const describe = ({ sequence, occurredAt, type, payload }: Event) =>
  `${sequence}  ${occurredAt}  ${type}  ${printable(JSON.stringify(payload))}`;

const followCommand: Command = {
  name: 'events follow',
  description: 'Print events as they happen',
  options: followOptions,
  async run(context) {
    for await (const event of follow(context)) await printLine(context.terminal, event, describe(event));
    return undefined;
  },
};

const createSecret = () => `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;

/** Sends an event as the service would send it. Returns the status, or why there is none. */
async function forward(url: string, secret: string, event: Event, signal: AbortSignal): Promise<string> {
  const { id, type, sequence, occurredAt, payload } = event;
  const body = JSON.stringify({ event: { id, type, sequence, timestamp: occurredAt }, payload });
  const headers = await signWebhook(body, secret, id);
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(15_000)]);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    return cause?.code ?? cause?.message ?? message;
  }
}

const listen: Command = {
  name: 'webhooks listen',
  description: 'Forward events to a server on this machine, signed like webhooks',
  options: {
    'forward-to': { type: 'string', value: 'URL', description: 'Where to send them (required)' },
    secret: {
      type: 'string',
      value: 'SECRET',
      description: 'Sign with this secret (default: WEBHOOK_SECRET, or a new one)',
    },
    ...followOptions,
  },
  async run(context) {
    const { terminal, signal } = context;
    const url = textOf(context, 'forward-to');
    if (url === undefined || !URL.canParse(url))
      throw usageError('Name the address, such as --forward-to http://localhost:8080.');
    const given = textOf(context, 'secret') ?? terminal.env.WEBHOOK_SECRET;
    const secret = given ?? createSecret();
    if (given === undefined) note(terminal, `Verify with the secret ${secret}`);
    for await (const event of follow(context)) {
      const begun = performance.now();
      const outcome = await forward(url, secret, event, signal);
      const ms = Math.round(performance.now() - begun);
      const { sequence, type } = event;
      await printLine(terminal, { sequence, type, outcome, ms }, `${sequence}  ${type}  ${outcome}  ${ms} ms`);
    }
    return undefined;
  },
};

export const eventCommands = [followCommand, listen];
