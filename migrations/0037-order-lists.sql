-- Issuers that take lists instead of requests (docs/decisions/0087-order-lists.md).

-- How files are exchanged with the issuer: `mail` or `sftp`, with its encrypted settings. Null: a person takes them there.
alter table issuer_settings add column delivery text;
alter table issuer_settings add column encrypted_delivery text;

-- What identifies a ticket without a barcode, besides its number.
alter table ticket_orders add column chip_card_number text;
alter table ticket_orders add column activation_code text;
alter table tickets add column chip_card_number text;
alter table tickets add column activation_code text;

-- The files with orders, numbered per month: the first has everybody, each later one what has changed since.
create table order_files (
  company_id bigint not null,
  month date not null,
  number integer not null,
  created_at timestamptz not null,
  -- When it was sent. Null: it waits to be sent, or a person takes it.
  delivered_at timestamptz,
  primary key (company_id, month, number),
  constraint order_files_month check (extract(day from month) = 1),
  foreign key (company_id) references companies(id)
);

-- The lines of these files. The primary key lets each order be placed once and ended once.
create table order_file_entries (
  company_id bigint not null,
  employee_id bigint not null,
  order_month date not null,
  attempt integer not null,
  is_end boolean not null,
  section text not null,
  -- The order that this one takes the place of.
  previous_order_id text collate "C",
  file_month date not null,
  file_number integer not null,
  primary key (company_id, employee_id, order_month, attempt, is_end),
  constraint order_file_entries_section check (section in ('new', 'continuing', 'changed', 'ended')),
  foreign key (company_id, file_month, file_number) references order_files(company_id, month, number),
  foreign key (company_id, employee_id, order_month, attempt)
    references ticket_orders(company_id, employee_id, month, attempt) on delete cascade
);
create index order_file_entries_by_file on order_file_entries (company_id, file_month, file_number);

-- The files that came back. The same content for the same month is one file.
create table returned_files (
  company_id bigint not null,
  month date not null,
  sha256 bytea not null,
  name text not null,
  received_at timestamptz not null,
  received_from text not null,
  -- Null: not all of it is applied yet.
  applied_at timestamptz,
  row_count integer not null,
  issued integer not null default 0,
  failed integer not null default 0,
  unchanged integer not null default 0,
  primary key (company_id, month, sha256),
  constraint returned_files_month check (extract(day from month) = 1),
  constraint returned_files_from check (received_from in ('upload', 'command', 'sftp')),
  foreign key (company_id) references companies(id)
);

-- Rows of theirs that belong to no order for certain, until a person has decided.
create table returned_rows (
  company_id bigint not null,
  id bigint generated always as identity,
  month date not null,
  sha256 bytea not null,
  row_number integer not null,
  cells jsonb not null,
  problem jsonb not null,
  -- Who has the same name and date of birth. A person confirms it.
  suggested_order_id text collate "C",
  primary key (company_id, id),
  unique (company_id, month, sha256, row_number),
  foreign key (company_id, month, sha256) references returned_files(company_id, month, sha256) on delete cascade
);
