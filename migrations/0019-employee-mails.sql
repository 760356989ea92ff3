-- Mails to employees. The primary key allows one mail per employee, kind and occasion, such as the month of a ticket.
create table employee_mails (
  company_id bigint not null,
  employee_id bigint not null,
  kind text collate "C" not null,
  occasion text collate "C" not null,
  -- 0: sent at once. 1, 2: sent at the operator's rate, 1 before 2.
  urgency integer not null check (urgency between 0 and 2),
  language text not null check (language in ('de', 'en')),
  -- The address when the mail was written. It is not sent if the employee has another one by then. Null: sent to the address of that moment.
  recipient text,
  -- What the text needs, which may contain a link that gives access. Encrypted and bound to this row. Null: the occasion
  -- says it all, or the mail is not to be sent any more.
  encrypted_values text,
  -- not-sent: kept on staging, because MAIL_ALLOW does not list the address.
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'expired', 'cancelled', 'not-sent')),
  attempts integer not null default 0,
  -- When the next attempt is due. While a worker makes one, this is when another worker takes over if it gets no result.
  next_attempt_at timestamptz,
  expires_at timestamptz not null,
  -- The code of the last failure, without the text of the mail server, which may name the address.
  last_error text,
  -- Times are real time, also on a staging environment whose clock was moved.
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (company_id, employee_id, kind, occasion),
  constraint employee_mails_next_attempt check ((state = 'pending') = (next_attempt_at is not null)),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index employee_mails_pending on employee_mails (company_id, urgency, next_attempt_at) where state = 'pending';
create index employee_mails_finished on employee_mails (company_id, finished_at) where finished_at is not null;

-- When the next mail may be sent at the operator's rate, for all workers together. One row.
create table mail_pace (
  is_only boolean not null default true check (is_only),
  free_at timestamptz not null,
  primary key (is_only)
);

-- The language that an employee has chosen. Null: that of the company's locale.
alter table employees add column language text;
alter table employees add constraint employees_language check (language in ('de', 'en')) not valid;
-- The optional mails that an employee does not want.
alter table employees add column switched_off_mails text[] not null default '{}';
-- The mails that a company's employees do not get.
alter table companies add column switched_off_mails text[] not null default '{}';
-- Where answers to mails go. Null: to the sender's address of the operator.
alter table companies add column mail_reply_to text;
