-- Every table of a company carries company_id first in its primary key, and foreign keys carry it too: no row can point
-- into another company, and the schema distributes by company (docs/decisions/0002-company-isolation.md).
-- Words in check constraints are the lists of src/domain/vocabulary.ts; `npm run generate` refuses a difference.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- One row: which environment this database belongs to. A process of the other environment refuses to start on it.
create table environment (
  one_row boolean primary key default true check (one_row),
  name text not null check (name in ('staging', 'production'))
);

create table companies (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  locale text not null default 'de-DE',
  currency text not null default 'EUR',
  time_zone text not null default 'Europe/Berlin',
  plan_type text not null default 'fully-subsidized-plan'
    check (plan_type in ('fully-subsidized-plan', 'deferred-plan', 'split-pay-plan')),
  contribution_cents integer not null default 0 check (contribution_cents >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- id is the random part of the public username. A rotation keeps the password before it valid until an agreed moment.
create table api_keys (
  company_id bigint not null references companies,
  id text not null,
  name text not null,
  permissions text[] not null check (permissions <@ array[
    'view-employees', 'view-hr-integrations', 'view-billing',
    'add-employees', 'update-employees', 'remove-employees']),
  secret_hash bytea not null check (length(secret_hash) = 32),
  previous_secret_hash bytea check (length(previous_secret_hash) = 32),
  previous_valid_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (company_id, id),
  check ((previous_secret_hash is null) = (previous_valid_until is null))
);

create table hr_integrations (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  type text not null check (type in ('hr-integration', 'api-integration')),
  status text not null check (status in ('active', 'invalid', 'inactive')),
  initial_connection_status text not null
    check (initial_connection_status in ('incomplete', 'final-sync-pending', 'completed')),
  last_sync_id text,
  last_synced_at timestamptz,
  last_sync_status text
    check (last_sync_status in ('succeeded', 'partially-failed', 'failed', 'authentication-failed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  check ((last_sync_id is null) = (last_sync_status is null))
);
create index hr_integrations_by_created on hr_integrations (company_id, created_at, id);
create index hr_integrations_by_updated on hr_integrations (company_id, updated_at, id);
create index hr_integrations_by_type on hr_integrations (company_id, type, id);

create table syncs (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  hr_integration_id bigint not null,
  sync_id text not null check (length(sync_id) between 1 and 255),
  state text not null
    check (state in ('accepted', 'processing', 'succeeded', 'partially-failed', 'failed', 'authentication-failed')),
  pushed_by text not null,
  accepted_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (company_id, id),
  unique (company_id, hr_integration_id, sync_id),
  foreign key (company_id, hr_integration_id) references hr_integrations (company_id, id)
);
create index syncs_newest_first on syncs (company_id, hr_integration_id, id desc);

-- email_key and search_text are folded by src/domain/search.ts, so that the database's locale decides nothing.
create table employees (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  first_name text not null,
  last_name text not null,
  email text not null,
  email_key text not null,
  search_text text not null,
  date_of_birth date,
  profile_image text,
  employed_from date,
  terminated_on date,
  auto_subscribe boolean,
  subscription_status text not null default 'no-subscription'
    check (subscription_status in ('no-subscription', 'scheduled', 'active', 'scheduled-pause', 'paused',
      'scheduled-cancellation', 'cancelled')),
  start_on date,
  next_ticket_on date,
  paused_on date,
  cancelled_on date,
  reactivated_on date,
  plan_type text not null check (plan_type in ('fully-subsidized-plan', 'deferred-plan', 'split-pay-plan')),
  contract_status text check (contract_status in ('pending', 'accepted', 'rejected')),
  contribution_cents integer check (contribution_cents >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (company_id, id),
  check ((plan_type = 'split-pay-plan') = (contribution_cents is not null)),
  check (plan_type <> 'fully-subsidized-plan' or contract_status is null)
);
create unique index employees_by_email on employees (company_id, email_key) where removed_at is null;
create index employees_by_id on employees (company_id, id) where removed_at is null;
create index employees_by_created on employees (company_id, created_at, id) where removed_at is null;
create index employees_by_updated on employees (company_id, updated_at, id) where removed_at is null;
create index employees_by_status on employees (company_id, subscription_status, id) where removed_at is null;
create index employees_by_plan on employees (company_id, plan_type, id) where removed_at is null;
create index employees_search on employees using gin (company_id, search_text gin_trgm_ops) where removed_at is null;

-- How many visible employees each status and plan has. Whoever changes employees refreshes it in the same transaction,
-- so a page's total needs no scan (docs/decisions/0005-totals-without-scans.md).
create table employee_counts (
  company_id bigint not null references companies,
  subscription_status text not null
    check (subscription_status in ('no-subscription', 'scheduled', 'active', 'scheduled-pause', 'paused',
      'scheduled-cancellation', 'cancelled')),
  plan_type text not null check (plan_type in ('fully-subsidized-plan', 'deferred-plan', 'split-pay-plan')),
  employees bigint not null,
  primary key (company_id, subscription_status, plan_type)
);

-- A link without an integration is a custom one, made by hand.
create table hr_links (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  employee_id bigint not null,
  hr_integration_id bigint,
  hr_id text not null check (length(hr_id) between 1 and 255),
  last_sync_id text,
  last_synced_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade,
  foreign key (company_id, hr_integration_id) references hr_integrations (company_id, id)
);
create index hr_links_of_employee on hr_links (company_id, employee_id);
create unique index hr_links_by_hr_id on hr_links (company_id, hr_integration_id, hr_id) nulls not distinct;
create unique index hr_links_one_per_integration on hr_links (company_id, hr_integration_id, employee_id)
  where hr_integration_id is not null;

create table absences (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  employee_id bigint not null,
  starts_on date not null,
  ends_on date,
  approved boolean not null,
  primary key (company_id, id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade,
  check (ends_on >= starts_on)
);
create index absences_of_employee on absences (company_id, employee_id);

create table tickets (
  company_id bigint not null references companies,
  employee_id bigint not null,
  month date not null check (extract(day from month) = 1),
  ticket_id text not null,
  valid_from date not null,
  valid_until date not null check (valid_until >= valid_from),
  wallet_token text not null,
  issued_at timestamptz not null default now(),
  primary key (company_id, employee_id, month),
  unique (company_id, ticket_id),
  unique (company_id, wallet_token),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);

-- A document is downloadable when it is a PDF whose file is stored. removed_at follows the owner's.
create table documents (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  employee_id bigint,
  name text not null check (name <> ''),
  search_text text not null,
  file_type text not null check (file_type <> ''),
  store_key text,
  sha256 bytea check (length(sha256) = 32),
  size_bytes bigint,
  downloadable boolean not null generated always as (file_type = 'pdf' and sha256 is not null) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, employee_id) references employees (company_id, id),
  check ((sha256 is null) = (store_key is null) and (sha256 is null) = (size_bytes is null))
);
create index documents_by_id on documents (company_id, id) where removed_at is null;
create index documents_of_employee on documents (company_id, employee_id, id) where removed_at is null;
create index documents_search on documents using gin (company_id, search_text gin_trgm_ops) where removed_at is null;

create table document_counts (
  company_id bigint not null references companies primary key,
  documents bigint not null
);

-- Charges are never changed: a correction is a new item that names the item it reverses. employee_id goes when the
-- employee is erased; what was billed and the hr_id stay.
create table billing_items (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  period date not null check (extract(day from period) = 1),
  charge_type text not null check (charge_type in ('service-charge', 'ticket-charge', 'hr-integration-charge',
    'hr-payroll-integration-charge', 'api-charge')),
  net_cents bigint not null,
  tax_cents bigint not null,
  gross_cents bigint not null,
  employee_id bigint,
  first_name text,
  last_name text,
  email text,
  hr_id text,
  plan_type text check (plan_type in ('fully-subsidized-plan', 'deferred-plan', 'split-pay-plan')),
  company_share_cents bigint,
  employee_share_cents bigint,
  hr_integration_id bigint,
  corrects_id bigint,
  billed_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete set null (employee_id),
  foreign key (company_id, hr_integration_id) references hr_integrations (company_id, id),
  foreign key (company_id, corrects_id) references billing_items (company_id, id),
  check (net_cents + tax_cents = gross_cents),
  check ((charge_type = 'ticket-charge') = (plan_type is not null)),
  check ((plan_type is null) = (company_share_cents is null)),
  check ((plan_type is null) = (employee_share_cents is null)),
  check (company_share_cents + employee_share_cents = gross_cents)
);
create unique index billing_items_ticket_once on billing_items (company_id, employee_id, period)
  where charge_type = 'ticket-charge' and corrects_id is null;
create unique index billing_items_fee_once on billing_items (company_id, period, charge_type, hr_integration_id)
  nulls not distinct where charge_type <> 'ticket-charge' and corrects_id is null;
create unique index billing_items_corrected_once on billing_items (company_id, corrects_id) where corrects_id is not null;
create index billing_items_by_period on billing_items (company_id, period, id);
create index billing_items_by_billed on billing_items (company_id, billed_at, id);
create index billing_items_by_type on billing_items (company_id, charge_type, id);
create index billing_items_by_period_type on billing_items (company_id, period, charge_type, id);

-- Kept by whoever inserts billing items, in the same transaction.
create table billing_totals (
  company_id bigint not null references companies,
  period date not null,
  charge_type text not null check (charge_type in ('service-charge', 'ticket-charge', 'hr-integration-charge',
    'hr-payroll-integration-charge', 'api-charge')),
  items bigint not null,
  net_cents bigint not null,
  tax_cents bigint not null,
  gross_cents bigint not null,
  primary key (company_id, period, charge_type)
);

create table audit_log (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  actor_type text not null check (actor_type in ('key', 'person', 'operator', 'service')),
  actor text,
  action text not null,
  target text,
  detail jsonb not null default '{}',
  primary key (company_id, id)
);
