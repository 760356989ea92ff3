-- Payroll exports (docs/payroll.md). An export is frozen: it keeps the bytes of its file, so that no later change of the
-- code, of a setting or of an employee changes what was handed over. It contains personnel numbers and amounts, no names.
create table payroll_files (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  -- Counts the exports of the company.
  number integer not null check (number > 0),
  period date not null check (extract(day from period) = 1),
  system text not null check (system in ('csv', 'datev-lodas', 'datev-lug')),
  lines integer not null check (lines > 0),
  employees integer not null check (employees > 0),
  tax_free_cents bigint not null,
  flat_tax_cents bigint not null,
  deduction_cents bigint not null,
  content bytea not null,
  size_bytes integer not null,
  sha256 bytea not null,
  exported_at timestamptz not null,
  exported_by text not null,
  -- Null: the operator at the command line.
  exported_by_user text,
  primary key (company_id, id),
  unique (company_id, number)
);
create index payroll_files_by_period on payroll_files (company_id, period, id);

-- The items of each export, with what was booked for them. An item is in one export.
create table payroll_file_items (
  company_id bigint not null references companies,
  item_id bigint not null,
  file_id bigint not null,
  personnel_number text not null,
  tax_treatment text not null check (tax_treatment in ('tax-free', 'flat-tax')),
  benefit_cents bigint not null,
  deduction_cents bigint not null,
  primary key (company_id, item_id),
  foreign key (company_id, file_id) references payroll_files (company_id, id),
  foreign key (company_id, item_id) references billing_items (company_id, id)
);
