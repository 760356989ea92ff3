-- When an employee first opened their signing link. Counts only for the link that was created before it: a release that does not know
-- the column replaces a link and leaves the time of the earlier one.
alter table signing_links add column opened_at timestamptz;

-- Reminders of signing links, at most one per employee and day. Each has a secret of its own, because only the hash of the
-- first one is stored. It opens the link with that number, and stops working with it.
create table signing_reminders (
  company_id bigint not null,
  employee_id bigint not null,
  -- By real time, in the time zone of the company.
  reminded_on date not null,
  link_number integer not null,
  token_hash bytea not null,
  primary key (company_id, employee_id, reminded_on),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index signing_reminders_by_token on signing_reminders (company_id, token_hash);
