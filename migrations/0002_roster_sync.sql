-- Rosters: how they are received, applied and explained (docs/decisions/0008-roster-sync.md).

alter table companies
  add column cut_off_day integer not null default 10 check (cut_off_day between 1 and 31),
  add column guard_minimum_linked integer not null default 100 check (guard_minimum_linked >= 1),
  add column guard_maximum_absent_percent integer not null default 20
    check (guard_maximum_absent_percent between 0 and 100),
  add column retention_days integer not null default 90 check (retention_days >= 0);

-- What the rules must remember besides the dates that the API shows (src/domain/subscription.ts).
alter table employees
  add column resumes_on date,
  add column cancel_causes text[] not null default '{}' check (cancel_causes <@ array[
    'termination', 'offboard', 'contract-rejected', 'opt-out', 'cancel']),
  add column pause_requested boolean not null default false,
  -- Absent from the roster and on the way out; removed on removes_on.
  add column is_leaving boolean not null default false,
  add column removes_on date;

-- The last roster that was applied. Links that were in it show its id and moment, so that a nightly roster without changes
-- does not rewrite every link.
alter table hr_integrations
  add column roster_sync_id text,
  add column roster_synced_at timestamptz,
  add check ((roster_sync_id is null) = (roster_synced_at is null));

-- entry_hash tells an entry that says the same as last time; is_current: the link was in the last applied roster.
alter table hr_links
  add column entry_hash text,
  add column is_current boolean not null default false,
  add check (not is_current or hr_integration_id is not null);

alter table syncs
  add column content_hash bytea not null default ''::bytea,
  add column entry_count integer not null default 0,
  add column attempts integer not null default 0,
  add column reason text,
  add column created_count integer not null default 0,
  add column updated_count integer not null default 0,
  add column unchanged_count integer not null default 0,
  add column offboarded_count integer not null default 0,
  add column held_count integer not null default 0,
  add column failed_count integer not null default 0,
  -- Null: nothing was held.
  add column held_state text check (held_state in ('pending', 'approved', 'rejected', 'replaced'));
create index syncs_to_apply on syncs (company_id, hr_integration_id, id) where state in ('accepted', 'processing');

-- The roster of a sync that is not yet applied: lines of JSON, compressed.
create table sync_rosters (
  company_id bigint not null references companies,
  sync_key bigint not null,
  part integer not null,
  content bytea not null,
  primary key (company_id, sync_key, part),
  foreign key (company_id, sync_key) references syncs (company_id, id) on delete cascade
);
alter table sync_rosters alter column content set storage external;

-- One record for every entry that was not unchanged, and for everybody absent. employee_id goes when the employee is erased.
create table sync_records (
  company_id bigint not null references companies,
  sync_key bigint not null,
  id bigint generated always as identity,
  hr_id text not null,
  employee_id bigint,
  outcome text not null check (outcome in ('created', 'updated', 'offboarded', 'held', 'failed')),
  code text not null,
  detail text not null,
  changes jsonb not null,
  reasons jsonb not null,
  primary key (company_id, sync_key, id),
  foreign key (company_id, sync_key) references syncs (company_id, id) on delete cascade,
  foreign key (company_id, employee_id) references employees (company_id, id) on delete set null (employee_id)
);
create index sync_records_by_outcome on sync_records (company_id, sync_key, outcome, id);
create index sync_records_of_employee on sync_records (company_id, employee_id);

-- Why a subscription is as it is: every change with its day, cause and rule.
create table subscription_changes (
  company_id bigint not null references companies,
  employee_id bigint not null,
  id bigint generated always as identity,
  known_on date not null,
  effective_on date not null,
  cause text not null,
  rule text not null,
  detail text not null,
  from_status text not null,
  to_status text not null,
  fields jsonb not null,
  recorded_at timestamptz not null default now(),
  primary key (company_id, employee_id, id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);
