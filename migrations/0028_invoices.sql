-- Invoices and credit notes (docs/invoices.md).

create table invoices (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  kind text not null check (kind in ('invoice', 'credit-note')),
  period date not null check (extract(day from period) = 1),
  -- Null until the invoice is issued.
  number bigint check (number > 0),
  issued_on date not null,
  due_on date not null,
  net_cents bigint not null,
  tax_cents bigint not null,
  gross_cents bigint not null,
  -- Everything that the invoice says. The files are made of it.
  content jsonb not null,
  -- The last billing item that was considered. Later ones are on a later invoice.
  through_item_id bigint not null,
  -- Key, hash and size of each file by format. Null until they are stored.
  files jsonb,
  created_at timestamptz not null,
  primary key (company_id, id)
);
-- One invoice and one credit note per company and period, however often and however many at once try.
create unique index invoices_once on invoices (company_id, period, kind);
create unique index invoices_by_number on invoices (company_id, number);
create index invoices_unfinished on invoices (company_id, id) where number is null or files is null;

-- The last number of the environment. Its row is locked by the transaction that issues an invoice. On Citus, the table is
-- on the coordinator and known to Citus, which then commits it and the invoice in two phases.
create table invoice_numbers (
  id boolean primary key default true check (id),
  last_number bigint not null check (last_number >= 0)
);
insert into invoice_numbers (last_number) values (0);

-- Charges up to this one were billed before the service issued invoices, and are never invoiced by it.
create table invoice_start (
  id boolean primary key default true check (id),
  after_item_id bigint not null
);
insert into invoice_start (after_item_id) select coalesce(max(b.id), 0) from billing_items b;
