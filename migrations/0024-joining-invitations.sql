-- The last invitation of an employee to join. A new one replaces it under the next number. All times are by the clock of the
-- environment, like everything about subscriptions.
create table joining_invitations (
  company_id bigint not null,
  employee_id bigint not null,
  number integer not null default 1,
  invited_at timestamptz not null,
  -- The day in the time zone of the company, from which reminders and the end are counted.
  invited_on date not null,
  opened_at timestamptz,
  declined_at timestamptz,
  -- When a letter was printed for them last.
  lettered_at timestamptz,
  -- How many of the reminders that follow by themselves were sent or left out.
  reminders integer not null default 0,
  -- The day of the last reminder, also of one that somebody has sent by hand.
  reminded_on date,
  primary key (company_id, employee_id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
-- Finds those who are to be reminded.
create index joining_invitations_to_remind on joining_invitations (company_id, invited_on)
  where reminders < 2 and declined_at is null;

-- The links of invitations. Each mail has one of its own, because only their hashes are stored. A new invitation deletes
-- them.
create table joining_links (
  company_id bigint not null,
  token_hash bytea not null check (length(token_hash) = 32),
  employee_id bigint not null,
  primary key (company_id, token_hash),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index joining_links_of_employee on joining_links (company_id, employee_id);
