import { type EventType, eventTypes, type Permission } from '../../domain/enums.ts';

/** The permission that an event requires: that of the records it is about. Null: any of them. */
const permissionOf: Record<EventType, Permission | null> = {
  'employee-subscription-changed': 'view-employees',
  'employee-created': 'view-employees',
  'employee-removed': 'view-employees',
  'new-employee-document-generated': 'view-employees',
  'tickets-issued': 'view-employees',
  'ticket-differences-found': 'view-employees',
  'billing-items-created': 'view-billing',
  'sync-finished': 'view-hr-integrations',
  'sync-removals-held': 'view-hr-integrations',
  'hr-integration-status-changed': 'view-hr-integrations',
  'roster-overdue': 'view-hr-integrations',
  'payroll-export-ready': 'view-billing',
  'invoice-issued': 'view-billing',
  'webhook-test': null,
};

export const eventPermissions = ['view-employees', 'view-billing', 'view-hr-integrations'] as const;

export const listVisibleTypes = (
  granted: ReadonlySet<Permission>,
  types: readonly EventType[] = eventTypes,
): EventType[] =>
  types.filter((type) => {
    const permission = permissionOf[type];
    return permission === null || granted.has(permission);
  });
