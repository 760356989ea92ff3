-- Decisions about the contracts of many employees, which a job applies (docs/decisions/0047-contracts.md).
create table contract_batches (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  decision text not null check (decision in ('contract-accepted', 'contract-rejected')),
  actor_type text not null,
  actor text,
  total integer not null,
  decided integer not null default 0,
  refused integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (company_id, id)
);
create index contract_batches_unfinished on contract_batches (company_id, id) where finished_at is null;

-- The employees of a batch. Each is decided once, in the transaction that sets the outcome.
create table contract_batch_items (
  company_id bigint not null,
  batch_id bigint not null,
  employee_id bigint not null,
  outcome text check (outcome in ('decided', 'refused')),
  primary key (company_id, batch_id, employee_id),
  foreign key (company_id, batch_id) references contract_batches on delete cascade
);
create index contract_batch_items_open on contract_batch_items (company_id, batch_id, employee_id) where outcome is null;

-- Personal links by which employees sign for themselves. One per employee: a new one replaces the old one.
create table signing_links (
  company_id bigint not null,
  employee_id bigint not null,
  -- SHA-256. The link itself is not stored.
  token_hash bytea not null,
  -- Counts the links of the employee. The key of the mail contains it.
  number integer not null default 1,
  -- Times are real time, also on a staging environment whose clock was moved.
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- The agreement as the employee has seen it last: its text, and the file that was made of it.
  agreement jsonb,
  store_key text,
  sha256 bytea,
  size_bytes bigint,
  primary key (company_id, employee_id),
  foreign key (company_id, employee_id) references employees
);

-- What employees have decided by their link, and about which file. The key lets a decision about one file happen once.
create table contract_signatures (
  company_id bigint not null,
  employee_id bigint not null,
  sha256 bytea not null,
  decision text not null check (decision in ('contract-accepted', 'contract-rejected')),
  decided_at timestamptz not null,
  store_key text not null,
  size_bytes bigint not null,
  primary key (company_id, employee_id, sha256),
  foreign key (company_id, employee_id) references employees
);
