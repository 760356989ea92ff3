-- What the last comparison of a month's invoice of the issuer has found (docs/decisions/0088-invoices-of-issuers.md).
create table issuer_invoices (
  company_id bigint not null,
  month date not null,
  compared_at timestamptz not null,
  lines integer not null,
  billed_cents bigint not null,
  expected_cents bigint not null,
  -- At most 1,000, without names: [{"kind", "row", "employeeId", "number", "billedCents", "expectedCents"}].
  differences jsonb not null,
  difference_count integer not null,
  primary key (company_id, month),
  constraint issuer_invoices_month check (extract(day from month) = 1),
  foreign key (company_id) references companies(id)
);
