import { type Day, firstOfNextMonth } from '../../domain/calendar.ts';
import { formatMessage } from '../../domain/messages/message.ts';
import { publicTexts } from '../../domain/subscription/public-dates.ts';
import type { Links } from '../../platform/http/links.ts';
import { presentOptionalTimestamp, type View } from '../../platform/http/view.ts';
import type { LateCharges } from '../billing/rules/late-charges.ts';
import type { Employee, SubscriptionHistoryEntry } from './contract.ts';
import type { SubscriptionChange } from './history.ts';
import type { EmployeeRow } from './store.ts';

export interface EmployeeView extends View {
  today: string;
  firstOfNextMonth: string;
}

export const employeeViewOf = (view: View, today: Day): EmployeeView => ({
  ...view,
  today: today.toString(),
  firstOfNextMonth: firstOfNextMonth(today).toString(),
});

/** Does the same as `nextTicketSeenOn` without parsing the dates of a page of employees: ISO texts compare alike. */
const nextTicketSeen = ({ next_ticket_on: planned }: EmployeeRow, { today, firstOfNextMonth }: EmployeeView) =>
  planned !== null && planned <= today ? firstOfNextMonth : planned;

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
  return { status: row.subscription_status, startAt, nextTicketAt: nextTicketSeen(row, view), ...dates };
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

/** Returns the change with its number, 1 for the oldest. Leaves out which user or key it was: only the portal says so. */
export const presentHistoryEntry = (
  { actor, message: _, late, ...change }: SubscriptionChange & { late: readonly LateCharges[] },
  number: number,
  employeeId: number,
  { subscriptionChange, employee, sync }: Links,
): SubscriptionHistoryEntry => ({
  ...change,
  lateCharges: late.map(({ cause, rule, message, effectiveAt }) => ({
    cause,
    rule,
    detail: formatMessage(message),
    effectiveAt,
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
