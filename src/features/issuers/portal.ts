import { todayIn } from '../../platform/clock/clock.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { portalRoutes } from '../portal-route.ts';
import { blockTicket } from './block-ticket.ts';
import { compareInvoice } from './compare-invoice.ts';
import {
  ChangedTicketSchema,
  ComparedInvoiceSchema,
  EmployeeTicketsSchema,
  InvoiceBody,
  IssuerPageSchema,
  maxInvoiceBytes,
  TicketChangeBody,
} from './contract.ts';
import { listEmployeeTickets } from './employee-tickets.ts';
import { loadIssuerPage } from './page.ts';
import { replaceAnyTicket } from './replace-ticket.ts';

const params = IdParams('employee');

const changeOf = ({ employeeId, month, reason }: TicketChangeBody) => ({
  employeeId,
  month: Temporal.PlainDate.from(`${month}-01`),
  reason,
});

export const issuerPageRoutes = portalRoutes((route, context) => {
  route('GET /issuer', {
    summary: 'Get who issues the tickets, and what is open',
    access: 'read',
    data: IssuerPageSchema,
    handle: ({ db, companyId }) => loadIssuerPage(db, companyId),
  });

  route('GET /employees/:id/tickets', {
    summary: 'List the tickets and orders of an employee',
    access: 'read',
    params,
    data: EmployeeTicketsSchema,
    async handle({ db, companyId, user, params: { id: employeeId } }) {
      const today = todayIn(context.clock, user.company.timeZone);
      return { tickets: await listEmployeeTickets(db, companyId, { employeeId, today }) };
    },
  });

  route('POST /issuer/invoices', {
    summary: 'Compare an invoice of the issuer',
    description: 'Compares each line with the tickets of the month. Keeps the differences, but not the file.',
    access: 'invoice-files',
    body: InvoiceBody,
    data: ComparedInvoiceSchema,
    problems: ['malformed-body', 'body-too-large', 'issuer-not-possible'],
    options: { bodyLimit: 1024 + Math.ceil(maxInvoiceBytes / 3) * 4 },
    handle({ body, ...call }) {
      const month = Temporal.PlainDate.from(`${body.month}-01`);
      const content = Buffer.from(body.content, 'base64');
      const { companyId } = call;
      return context.slots.workbooks.run({ companyId }, () => compareInvoice(call, { month, content }));
    },
  });

  route('POST /issuer/blocks', {
    summary: 'Block the ticket of an employee',
    description: 'Its code is shown no more, and its issuer is told.',
    access: 'decisions',
    body: TicketChangeBody,
    data: ChangedTicketSchema,
    problems: ['ticket-not-possible'],
    handle: ({ body, companyId, by, write }) => write((tx) => blockTicket(tx, companyId, changeOf(body), by)),
  });

  route('POST /issuer/replacements', {
    summary: 'Replace the ticket of an employee',
    access: 'decisions',
    body: TicketChangeBody,
    data: ChangedTicketSchema,
    problems: ['not-found', 'ticket-not-possible', 'decision-refused'],
    async handle({ body, companyId, by, write }) {
      const { actor, at } = by;
      const change = { ...changeOf(body), actor, at };
      const { employeeId, month, state } = await write((tx) => replaceAnyTicket(tx, context, companyId, change));
      return { employeeId, month, state };
    },
  });
});
