import type { Day } from '../../domain/calendar.ts';
import { formatMessage } from '../../domain/messages/message.ts';
import { publicTexts } from '../../domain/subscription/public-dates.ts';
import { nextTicketSeenOn } from '../../domain/subscription/tickets.ts';
import type { Links } from '../../platform/http/links.ts';
import { presentOptionalTimestamp, type View } from '../../platform/http/view.ts';
import type { LateCharges } from '../billing/rules/late-charges.ts';
import type { Employee, SubscriptionHistoryEntry } from './contract.ts';
import type { SubscriptionChange } from './history.ts';
import type { EmployeeRow } from './store.ts';

/** The next tickets as seen on a day, since many employees share few dates, and all requests of a day the day. */
const seenOn = new WeakMap<Day, Map<string, string | null>>();

function nextTicketsSeenOn(today: Day): (planned: string | null) => string | null {
  const seen = seenOn.get(today) ?? new Map<string, string | null>();
  seenOn.set(today, seen);
  return (planned) => {
    if (planned === null) return null;
    const known = seen.get(planned);
    if (known !== undefined) return known;
    const day = nextTicketSeenOn(Temporal.PlainDate.from(planned), today)?.toString() ?? null;
    seen.set(planned, day);
    return day;
  };
}

/** What is needed to present employees besides their rows. */
export interface EmployeeView extends View {
  nextTicket(planned: string | null): string | null;
}

export const employeeViewOf = (view: View, today: Day): EmployeeView => ({
  ...view,
  nextTicket: nextTicketsSeenOn(today),
});

function presentSubscription(row: EmployeeRow, view: EmployeeView): Employee['subscription'] {
  const { startAt, ...dates } = publicTexts({
    status: row.subscription_status,
    startOn: row.start_on,
    pausedOn: row.paused_on,
    resumesOn: row.resumes_on,
    cancelledOn: row.cancelled_on,
    reactivatedOn: row.reactivated_on,
    past: {
      startOn: row.past_start_on,
      pausedOn: row.past_paused_on,
      cancelledOn: row.past_cancelled_on,
      reactivatedOn: row.past_reactivated_on,
    },
  });
  return { status: row.subscription_status, startAt, nextTicketAt: view.nextTicket(row.next_ticket_on), ...dates };
}

const presentPlan = (row: EmployeeRow, view: View): Employee['plan'] => ({
  type: row.plan_type,
  contractSigningStatus: row.contract_status,
  employeeContributionAmount: row.contribution_cents === null ? null : view.money(row.contribution_cents),
});

function presentTicket(row: EmployeeRow, view: View): Employee['ticket'] {
  if (row.ticket_id === null) return null;
  return {
    ticketId: row.ticket_id,
    ticketMonth: row.month.slice(0, 7),
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    links: {
      apple: view.links.walletPass('apple', view.companyId, row.wallet_token),
      google: view.links.walletPass('google', view.companyId, row.wallet_token),
    },
  };
}

const presentHrLinks = (row: EmployeeRow): Employee['hrIntergartionLinks'] =>
  row.links.map((link) => ({
    type: link.hr_integration_id === null ? 'custom' : 'hr-integration',
    hrId: link.hr_id,
    hrIntegrationId: link.hr_integration_id,
    lastSyncId: link.last_sync_id,
    lastSynced: presentOptionalTimestamp(link.last_synced_at),
  }));

export const presentEmployee = (row: EmployeeRow, view: EmployeeView): Employee => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  dateOfBirth: row.date_of_birth,
  profileImage: row.profile_image,
  resource: 'employee',
  subscription: presentSubscription(row, view),
  plan: presentPlan(row, view),
  ticket: presentTicket(row, view),
  // The specification spells this field exactly like this.
  hrIntergartionLinks: presentHrLinks(row),
  _links: { self: view.links.employee(row.id), employeeDocuments: view.links.employeeDocuments(row.id) },
});

/**
 * Returns the change with its number, 1 for the oldest. Leaves out which user or key it was: a key sees what happened, and the audit log of the portal who did it. The API has
 * the sentence, the portal its message.
 */
export const presentHistoryEntry = (
  { actor, message: _, late, ...change }: SubscriptionChange & { late: readonly LateCharges[] },
  number: number,
  employeeId: number,
  { subscriptionChange, employee, sync }: Links,
): SubscriptionHistoryEntry => ({
  ...change,
  lateCharges: late.map(({ cause, rule, message, effectiveAt }) => ({
    ...{ cause, rule, detail: formatMessage(message), effectiveAt },
  })),
  actor: actor.type,
  resource: 'subscription-history-entry',
  _links: {
    self: subscriptionChange(employeeId, number),
    employee: employee(employeeId),
    ...(change.syncId === null || change.hrIntegrationId === null
      ? {}
      : { sync: sync(change.hrIntegrationId, change.syncId) }),
  },
});
