-- Who issues the tickets of a company (docs/decisions/0083-issuers.md). Read with the company, so that the daily run of companies whose
-- tickets the service issues itself costs nothing more.
alter table companies add column issuer text not null default 'built-in';

-- How a company's tickets are ordered. No row: the service issues them itself.
create table issuer_settings (
  company_id bigint not null,
  -- The base of the issuer's interface, and the token that it has issued. Null: the issuer is sent lists.
  url text,
  encrypted_token text,
  -- The address and the secret of the issuer's callbacks. Null with the above.
  callback_token text,
  encrypted_callback_secret text,
  -- The last day on which the issuer accepts orders for the next month, and how many days before it they are placed.
  cut_off_day integer not null,
  lead_days integer not null,
  product text not null,
  -- What a ticket costs at the issuer: [{"from": "2026-01-01", "grossCents": 5985}]. Empty: not agreed.
  price_list jsonb not null default '[]'::jsonb,
  -- The columns of order files and of returned files. Null: the usual ones.
  mapping jsonb,
  -- When the next work of the issuer is due. Null: nothing is.
  next_run_at timestamptz,
  -- Until when the issuer is left alone, since when it has been failing, and why.
  paused_until timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  last_error jsonb,
  -- The month whose late tickets have no confirmations yet.
  documents_due date,
  -- The month that is to be reconciled.
  reconcile_due date,
  updated_at timestamptz not null default now(),
  primary key (company_id),
  constraint issuer_settings_cut_off check (cut_off_day between 1 and 31),
  constraint issuer_settings_lead check (lead_days between 0 and 27),
  constraint issuer_settings_address check ((url is null) = (encrypted_token is null)),
  foreign key (company_id) references companies(id)
);
create unique index issuer_settings_by_callback on issuer_settings (company_id, callback_token)
  where callback_token is not null;

-- One order per employee, month and attempt. A ticket that is replaced or ordered again is the next attempt.
create table ticket_orders (
  company_id bigint not null,
  employee_id bigint not null,
  month date not null,
  attempt integer not null,
  -- What the issuer knows the order by. It makes a repeated request the same order.
  order_id text collate "C" not null,
  state text not null default 'required',
  -- Why it failed or was ended (src/domain/messages), the code of that, and who must act. Null: nothing to say.
  reason jsonb,
  reason_code text,
  responsible text,
  -- What was ordered. Kept, because a repeated request must not differ. Null: not ordered yet.
  first_name text,
  last_name text,
  date_of_birth date,
  product text,
  required_at timestamptz not null,
  ordered_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  -- The employee's order whose ticket this one replaces at the issuer.
  replaces_attempt integer,
  -- When the issuer is asked next. Null: it need not be.
  next_attempt_at timestamptz,
  -- Requests since the last success.
  failures integer not null default 0,
  -- Whether the issuer has an issued ticket for the order, as far as it has said so.
  is_at_issuer boolean not null default false,
  number text,
  valid_from date,
  valid_until date,
  barcode text,
  barcode_format text,
  barcode_hash bytea,
  primary key (company_id, employee_id, month, attempt),
  unique (company_id, order_id),
  constraint ticket_orders_month check (extract(day from month) = 1),
  constraint ticket_orders_state check (state in ('required', 'ordered', 'issued', 'failed', 'blocked', 'replaced')),
  constraint ticket_orders_responsible check (responsible in ('issuer', 'hr', 'operator', 'nobody')),
  constraint ticket_orders_barcode check ((barcode is null) = (barcode_format is null)),
  constraint ticket_orders_format check (barcode_format in ('uic-918-3', 'opaque')),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
-- A barcode or a number belongs to one order.
create unique index ticket_orders_by_barcode on ticket_orders (company_id, barcode_hash)
  where barcode_hash is not null;
create index ticket_orders_by_number on ticket_orders (company_id, number) where number is not null;
create index ticket_orders_due on ticket_orders (company_id, month, employee_id, attempt)
  where next_attempt_at is not null;
create index ticket_orders_by_state on ticket_orders (company_id, month, state);

-- What a reconciliation has found, newest last.
create table issuer_reconciliations (
  company_id bigint not null,
  id bigint generated always as identity,
  month date not null,
  reconciled_at timestamptz not null,
  required integer not null,
  issued integer not null,
  differences jsonb not null,
  difference_count integer not null,
  primary key (company_id, id),
  foreign key (company_id) references companies(id)
);
create index issuer_reconciliations_by_month on issuer_reconciliations (company_id, month, id);

-- What inspectors read, of a ticket that an issuer has issued, and that a ticket is not to be used any more.
alter table tickets add column issuer_number text;
alter table tickets add column barcode text;
alter table tickets add column barcode_format text;
alter table tickets add column blocked_at timestamptz;
alter table tickets add column block_reason text;

-- The month of a ticket that was issued and charged after the first of the month. Null: charged with its month.
alter table billing_items add column ticket_month date;

alter table events drop constraint events_type_check;
alter table events add constraint events_type_check check (type in ('employee-subscription-changed', 'employee-created',
  'employee-removed', 'new-employee-document-generated', 'tickets-issued', 'ticket-differences-found',
  'billing-items-created', 'sync-finished', 'sync-removals-held', 'hr-integration-status-changed', 'roster-overdue',
  'payroll-export-ready', 'invoice-issued', 'webhook-test')) not valid;
alter table companies add constraint companies_issuer check (issuer in ('built-in', 'order-list', 'http')) not valid;
alter table tickets add constraint tickets_barcode_format check (barcode_format in ('uic-918-3', 'opaque')) not valid;
alter table billing_items add constraint billing_items_ticket_month
  check (ticket_month is null or charge_type = 'ticket-charge') not valid;
