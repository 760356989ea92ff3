import type { Day } from '../../domain/calendar.ts';
import { blockReasons, issuerKinds } from '../../domain/enums.ts';
import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { flag, id, mustBe, type Optional, oneOf, required, text } from '../../platform/cli/options.ts';
import { companyCommand } from '../company-command.ts';

const count = (from: number, to: number, description: string): Optional<number> => ({
  placeholder: 'number',
  description,
  parse(value, label) {
    if (!/^\d{1,5}$/.test(value) || Number(value) < from || Number(value) > to) {
      throw mustBe(label, `a number from ${from} to ${to}`, value);
    }
    return Number(value);
  },
});

const yearMonth: Optional<Day> = {
  placeholder: 'YYYY-MM',
  description: 'The month of the tickets',
  parse(value, label) {
    if (!/^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(value)) throw mustBe(label, 'a month YYYY-MM', value);
    return Temporal.PlainDate.from(`${value}-01`);
  },
};

const ofTicket = {
  employee: required(id('Id of the employee')),
  month: required(yearMonth),
  reason: required(oneOf('reason', blockReasons, 'Why')),
};

/** Commands of `ticket` that need to know who has issued it. */
export const issuedTicketCommands: CommandGroup['commands'] = {
  block: companyCommand({
    description: 'Block the ticket of a month: its code is shown no more, and its issuer is told.',
    options: ofTicket,
    examples: ['ticket block --company 1 --employee 1 --month 2026-12 --reason lost'],
    load: async () => (await import('./operate.ts')).blockByOperator,
  }),
  replace: companyCommand({
    description: 'Replace the ticket of a month by another one.',
    options: ofTicket,
    examples: ['ticket replace --company 1 --employee 1 --month 2026-12 --reason unreadable'],
    load: async () => (await import('./operate.ts')).replaceByOperator,
  }),
};

export const issuerCommands: CommandGroup = {
  description: 'Choose who issues tickets, and follow the orders',
  commands: {
    set: companyCommand({
      description: 'Choose who issues the tickets of a company: the service, or a transport company.',
      options: {
        issuer: required(oneOf('issuer', issuerKinds, 'Who issues the tickets')),
        url: text('url', 'Base of the interface of the issuer http'),
        tokenFile: text('file', 'File with the token of the issuer http'),
        cutOffDay: count(1, 31, 'Last day on which the issuer accepts orders for the next month (default: 20)'),
        leadDays: count(0, 27, 'How many days before it orders are placed (default: 5)'),
        product: text('name', 'What is ordered, as the issuer names it (default: deutschlandticket-job)'),
        deliveryFile: text('file', 'JSON file that says how lists are sent and fetched: {"kind": "sftp", …}'),
        mappingFile: text('file', 'JSON file with the columns of the lists of the issuer order-list'),
        priceFile: text('file', 'JSON file with the price list: [{"from": "2026-01-01", "grossCents": 5985}]'),
      },
      examples: [
        'issuer set --company 1 --issuer built-in',
        'issuer set --company 1 --issuer order-list --mapping-file mapping.json',
        'issuer set --company 1 --issuer order-list --delivery-file delivery.json',
        'issuer set --company 1 --issuer http --url https://issuer.example/v1 --token-file token.txt',
      ],
      load: async () => (await import('./operate.ts')).setIssuerByOperator,
    }),
    'check-delivery': companyCommand({
      description: 'Test how lists are exchanged with the issuer, and print what is wrong.',
      examples: ['issuer check-delivery --company 1'],
      load: async () => (await import('./operate-lists.ts')).checkDeliveryByOperator,
    }),
    show: companyCommand({
      description: 'Print who issues the tickets of a company, how far its orders are, and why some are open.',
      examples: ['issuer show --company 1'],
      load: async () => (await import('./operate.ts')).showIssuerByOperator,
    }),
    orders: {
      description: 'Exchange order lists with an issuer that has no interface',
      commands: {
        export: companyCommand({
          description: 'Write the order list of a month, with everything that is to be ordered by now.',
          options: { month: required(yearMonth), file: required(text('file', 'File to write: .xlsx, else CSV')) },
          examples: ['issuer orders export --company 1 --month 2026-12 --file orders.xlsx'],
          load: async () => (await import('./operate-lists.ts')).exportOrders,
        }),
        import: companyCommand({
          description: 'Apply the list of a month that the issuer has returned (CSV or .xlsx).',
          options: {
            month: required(yearMonth),
            file: required(text('file', 'Table (CSV or .xlsx) with ticket numbers, cards, codes or barcodes')),
            dryRun: flag('Only print what it would change'),
          },
          examples: ['issuer orders import --company 1 --month 2026-12 --file returned.xlsx --dry-run'],
          load: async () => (await import('./operate-lists.ts')).importOrders,
        }),
      },
    },
    fake: command({
      description: 'Start a fake issuer on this machine, to try out orders on staging. Ctrl-C stops it.',
      options: {
        port: count(1, 65_535, 'Port on loopback (default: 4010)'),
        late: count(0, 1_000, 'How often an order is read before its ticket is there (default: 0)'),
        perSecond: count(1, 10_000, 'Requests per second that it answers (default: all)'),
      },
      examples: ['issuer fake', 'issuer fake --port 4010 --late 2 --per-second 5'],
      output: 'own',
      load: async () => (await import('./fake/serve.ts')).serveFakeIssuer,
    }),
    'compare-invoice': companyCommand({
      description: 'Compare an invoice of the issuer with the tickets of a month, and print every difference.',
      options: {
        month: required(yearMonth),
        file: required(text('file', 'The invoice: CSV or Excel, with order or ticket numbers and amounts')),
      },
      examples: ['issuer compare-invoice --company 1 --month 2026-12 --file invoice.csv'],
      load: async () => (await import('./operate.ts')).compareInvoiceByOperator,
    }),
    reconcile: companyCommand({
      description: 'Compare who must hold a ticket of a month with what the issuer has, and print every difference.',
      options: { month: required(yearMonth) },
      examples: ['issuer reconcile --company 1 --month 2026-12'],
      load: async () => (await import('./operate.ts')).reconcileByOperator,
    }),
  },
};
