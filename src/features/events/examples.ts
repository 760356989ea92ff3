import type { EventType } from '../../domain/enums.ts';
import type { Payloads } from './contract.ts';

const api = 'http://localhost:3000/v1';
const link = (path: string, type = 'application/json') => ({ href: `${api}${path}`, type });

const payloads: Payloads = {
  'employee-subscription-changed': {
    id: 1,
    resource: 'employee',
    subscription: {
      status: 'active',
      startAt: '2026-12-01',
      nextTicketAt: '2027-01-01',
      pausedAt: null,
      cancelledAt: null,
      reactivatedAt: null,
      upcoming: null,
    },
    previousStatus: 'scheduled',
    cause: 'calendar',
    rule: 'start-has-come',
  },
  'employee-created': { id: 1, resource: 'employee', hrIntegrationId: 1 },
  'employee-removed': { id: 1, resource: 'employee', hrIntegrationId: 1 },
  'new-employee-document-generated': {
    id: 1,
    resource: 'employee-document',
    employeeId: 1,
    kind: 'ticket-confirmation',
  },
  'tickets-issued': { period: '2026-12-01', tickets: 250 },
  'ticket-differences-found': {
    period: '2026-12-01',
    required: 250,
    issued: 248,
    differences: { missing: 2, double: 0, unexpected: 1, mismatched: 0 },
  },
  'billing-items-created': {
    period: '2026-12-01',
    chargeTypes: [
      { chargeType: 'ticket-charge', items: 250, overall: { label: '14.962,50 €', value: 1_496_250 } },
      { chargeType: 'service-charge', items: 1, overall: { label: '446,25 €', value: 44_625 } },
    ],
  },
  'sync-finished': {
    syncId: '2026-12-01T02:00',
    hrIntegrationId: 1,
    status: 'succeeded',
    counts: { created: 2, updated: 5, offboarded: 1, held: 0, failed: 0, unchanged: 242 },
  },
  'sync-removals-held': { syncId: '2026-12-01T02:00', hrIntegrationId: 1, count: 60 },
  'hr-integration-status-changed': {
    id: 1,
    status: 'invalid',
    previousStatus: 'active',
    reason: 'credentials-refused',
  },
  'roster-overdue': {
    hrIntegrationId: 1,
    lastSynced: '2026-12-01T02:00:07Z',
    dueAt: '2026-12-02T14:00:07Z',
  },
  'payroll-export-ready': {
    id: 1,
    resource: 'payroll-export',
    period: '2026-12-01',
    _links: {
      self: link('/billing/payroll-exports/1'),
      download: link('/billing/payroll-exports/1/download', 'application/octet-stream'),
    },
  },
  'invoice-issued': {
    id: 1,
    resource: 'invoice',
    period: '2026-12-01',
    _links: {
      self: link('/billing/invoices/1'),
      download: link('/billing/invoices/1/download', 'application/pdf'),
    },
  },
  'webhook-test': {},
};

export const payloadExample = (type: EventType): object => payloads[type];

export const eventExample = { id: 'evt_019a7d3c5e80a1b2c3d4e5f600000001', sequence: 1204, at: '2026-12-01T00:05:12Z' };
