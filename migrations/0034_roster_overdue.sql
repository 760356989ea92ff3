-- When the next roster of an integration is overdue by its usual rhythm (src/domain/roster/rhythm.ts). Null: unknown.
alter table hr_integrations add column roster_due_at timestamptz;
-- Since when it is overdue, and reported to be. Null: it is not. The next roster clears it.
alter table hr_integrations add column overdue_since timestamptz;

alter table events drop constraint events_type_check;
alter table events add constraint events_type_check check (type in ('employee-subscription-changed', 'employee-created',
  'employee-removed', 'new-employee-document-generated', 'tickets-issued', 'billing-items-created', 'sync-finished',
  'sync-removals-held', 'hr-integration-status-changed', 'roster-overdue', 'payroll-export-ready', 'invoice-issued',
  'webhook-test')) not valid;
