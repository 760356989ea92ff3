-- The tickets of employees that were replaced: the number that was shown before, and why. The first replacement of a month has the number 1.
create table ticket_replacements (
  company_id bigint not null,
  employee_id bigint not null,
  month date not null,
  number integer not null check (number >= 1),
  ticket_id text not null,
  reason text not null check (reason in ('unreadable', 'new-phone', 'other')),
  actor_type text not null check (actor_type in ('key', 'user', 'operator', 'employee', 'service')),
  replaced_at timestamptz not null,
  primary key (company_id, employee_id, month, number),
  -- Inspectors may ask about a number that is not shown any more.
  unique (company_id, ticket_id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
