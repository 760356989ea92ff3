import { presentOptionalTimestamp, type View } from '../http/view.ts';
import type { EmployeeRow } from './queries.ts';
import type { Employee } from './schema.ts';

const presentSubscription = (row: EmployeeRow): Employee['subscription'] => ({
  status: row.subscription_status,
  startAt: row.start_on,
  nextTicketAt: row.next_ticket_on,
  pausedAt: row.paused_on,
  cancelledAt: row.cancelled_on,
  reactivatedAt: row.reactivated_on,
});

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
  (row.links ?? []).map((link) => ({
    type: link.hr_integration_id === null ? 'custom' : 'hr-integration',
    hrId: link.hr_id,
    hrIntegrationId: link.hr_integration_id,
    lastSyncId: link.last_sync_id,
    lastSynced: presentOptionalTimestamp(link.last_synced_at),
  }));

export const presentEmployee = (row: EmployeeRow, view: View): Employee => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  dateOfBirth: row.date_of_birth,
  profileImage: row.profile_image,
  resource: 'employee',
  subscription: presentSubscription(row),
  plan: presentPlan(row, view),
  ticket: presentTicket(row, view),
  // The specification spells this field exactly so.
  hrIntergartionLinks: presentHrLinks(row),
  _links: { self: view.links.employee(row.id), employeeDocuments: view.links.employeeDocuments(row.id) },
});
