-- The event log: what happened in a company, for clients that read it in order (docs/decisions/0035-event-log.md). The
-- sequence of a company has no gaps and follows the order of commits, because it is assigned under the lock of the row in
-- company_versions, as the last thing a transaction does (src/db/write.ts). An identity column would be assigned earlier,
-- and a reader would miss the events of a transaction that commits late.
create table events (
  company_id bigint not null references companies (id),
  sequence bigint not null check (sequence > 0),
  id text collate "C" not null,
  type text not null check (type in ('employee-subscription-changed', 'employee-created', 'employee-removed',
    'new-employee-document-generated', 'tickets-issued', 'billing-items-created', 'sync-finished', 'sync-removals-held',
    'hr-integration-status-changed', 'payroll-export-ready', 'invoice-issued', 'webhook-test')),
  occurred_at timestamptz not null,
  payload jsonb not null,
  primary key (company_id, sequence),
  unique (company_id, id)
);

-- The sequence of the company's newest event. Stays when events are deleted.
alter table company_versions add column event_sequence bigint not null default 0;
