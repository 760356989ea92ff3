import { firstOfMonth } from '../domain/calendar.ts';
import { planDay } from '../domain/employee.ts';
import type { ActorType } from '../domain/enums.ts';
import { createMessage } from '../domain/messages/message.ts';
import { toEmployee } from '../domain/messages/to-employee.ts';
import { isRunning } from '../domain/subscription/subscription.ts';
import { isTestIn } from '../domain/test-mark.ts';
import { canSign } from '../features/contracts/links.ts';
import { listSubscriptionChanges } from '../features/employees/history.ts';
import { listTicketEvents, loadOwnOrders, replaceOwnTicket } from '../features/issuers/own-tickets.ts';
import { myRoutes } from '../features/my-route.ts';
import { type MyHistory, MyHistorySchema } from '../features/subscriptions/my-contract.ts';
import { loadOwnSituation, presentOwnSubscription } from '../features/subscriptions/own-subscription.ts';
import type { OwnSituation } from '../features/subscriptions/rules/own-subscription.ts';
import { ReplacedTicketSchema, ReplacementBody } from '../features/tickets/my-contract.ts';
import { loadTickets, type TicketView } from '../features/tickets/my-tickets.ts';
import { listReplacements } from '../features/tickets/replace.ts';
import { createTicketSigner } from '../features/wallet/ticket-code.ts';
import type { Wallets } from '../features/wallet/wallets.ts';
import type { CompanyId } from '../platform/db/company-scope.ts';
import type { Db } from '../platform/db/database.ts';
import { inSnapshot } from '../platform/db/snapshot.ts';
import { presentTimestamp } from '../platform/http/view.ts';
import { type Home, HomeSchema } from './contract.ts';

function presentAgreement({ known, today }: OwnSituation): Home['agreement'] {
  const { subscription } = planDay(known, today).employee;
  if (subscription.contractStatus === null) return null;
  return { status: subscription.contractStatus, canDecide: canSign(subscription) };
}

const sideOf: Record<ActorType, MyHistory[number]['by']> = {
  employee: 'employee',
  user: 'company',
  key: 'company',
  operator: 'company',
  service: 'service',
};

/** Returns what has changed about the subscription and the tickets of an employee, newest first. */
async function loadHistory(db: Db, companyId: CompanyId, employeeId: number): Promise<MyHistory> {
  const [changes, replacements, events] = await Promise.all([
    listSubscriptionChanges(db, companyId, employeeId),
    listReplacements(db, companyId, employeeId),
    listTicketEvents(db, companyId, employeeId),
  ]);
  const entries = [
    ...events.map(({ message, by, ...event }) => ({ ...event, message: toEmployee(message), by: sideOf[by] })),
    // What the first releases recorded has no message that could be addressed to anybody.
    ...changes.flatMap(({ recordedAt, effectiveOn, message, actor }) =>
      message === null ? [] : [{ recordedAt, effectiveOn, message: toEmployee(message), by: sideOf[actor.type] }],
    ),
    ...replacements.map(({ ticketId, reason, actorType, replacedAt }) => ({
      recordedAt: presentTimestamp(replacedAt),
      effectiveOn: replacedAt.slice(0, 10),
      message: createMessage(`my-ticket-replaced-${reason}`, { ticketId }),
      by: sideOf[actorType],
    })),
  ];
  // A stable order: what was recorded at the same time stays as it happened.
  return entries.toSorted((a, b) => a.recordedAt.localeCompare(b.recordedAt)).reverse();
}

/** Serves the first page of an employee: the ticket, and the subscription in one answer. */
export const homeRoutes = myRoutes<{ wallets: Wallets }>((route, context) => {
  const { config, db, clock, links, wallets, sessionSecret, employeeMails } = context;
  const isTest = isTestIn(config.environment);
  const view: TicketView = { signer: createTicketSigner(sessionSecret, isTest), isTest, wallets, links };

  async function ticketsOf(tx: Db, { company, known, today }: OwnSituation, employeeId: number) {
    const { employee } = planDay(known, today);
    const { ordered, findMissing } = await loadOwnOrders(tx, company, { employeeId, today, now: clock.now() });
    const tickets = await loadTickets(tx, { company, employeeId, employee }, { today, view, ordered });
    const isMissing = tickets.ticket === null && isRunning(employee.subscription.status);
    return { ...tickets, missing: isMissing ? await findMissing() : null };
  }

  route('GET /home', {
    summary: 'Get my ticket and my subscription',
    access: 'employee',
    data: HomeSchema,
    problems: ['not-found'],
    handle: ({ employee }) =>
      inSnapshot(db, async (tx) => {
        const situation = await loadOwnSituation(tx, clock, employee);
        const [tickets, subscription] = await Promise.all([
          ticketsOf(tx, situation, employee.employeeId),
          presentOwnSubscription(tx, situation, employee.employeeId),
        ]);
        return {
          today: situation.today.toString(),
          ...tickets,
          ...subscription,
          agreement: presentAgreement(situation),
        };
      }),
  });

  route('GET /history', {
    summary: 'Get the history of my subscription and tickets',
    access: 'employee',
    data: MyHistorySchema,
    handle: ({ employee: { companyId, employeeId } }) => inSnapshot(db, (tx) => loadHistory(tx, companyId, employeeId)),
  });

  route('POST /ticket/replacement', {
    summary: 'Replace my ticket of this month',
    description:
      'It gets another number, code and passes, as soon as its issuer has issued it. At most three times a month.',
    access: 'employee',
    body: ReplacementBody,
    data: ReplacedTicketSchema,
    problems: ['not-found', 'decision-refused'],
    async handle({ employee, body: { reason, ticketId }, by, write }) {
      const { companyId, employeeId } = employee;
      const situation = await inSnapshot(db, (tx) => loadOwnSituation(tx, clock, employee));
      const { actor, at } = by;
      const wanted = { employeeId, month: firstOfMonth(situation.today), reason, ticketId, actor, at };
      const { remaining } = await write((tx) => replaceOwnTicket(tx, { employeeMails }, companyId, wanted));
      const { ticket } = await ticketsOf(db, situation, employeeId);
      return { ticket, remaining };
    },
  });
});
