-- How employees get into their page (docs/decisions/0076-access-of-employees.md). Nothing here belongs to users of the portal.
-- Every time is real time, also on a staging environment whose clock was moved.

-- What a device may open. One that holds employments at several companies has a row of the same id in each of them: each row
-- has its own company and ends on its own.
create table employee_sessions (
  company_id bigint not null,
  id text not null,
  employee_id bigint not null,
  -- Of the token in the cookie.
  token_hash bytea not null check (length(token_hash) = 32),
  method text not null check (method in ('mailed-link', 'passed-on-link', 'letter', 'single-sign-on')),
  -- The company whose identity provider opened the session. Null: none did.
  connection_company_id bigint,
  -- Browser and system, such as "Safari, iPhone". Null: unknown.
  device text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, token_hash),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index employee_sessions_of_employee on employee_sessions (company_id, employee_id);

-- Links that open a session once.
create table employee_access_links (
  company_id bigint not null,
  -- Of the request, so that a repeated job mails no second link.
  id text not null,
  employee_id bigint not null,
  token_hash bytea not null check (length(token_hash) = 32),
  -- Of the cookie of the browser that asked for the link. Null: it opens in any browser.
  browser_hash bytea check (length(browser_hash) = 32),
  -- The other companies that have an employee with the address. Null: the link was not mailed, so it proves no address.
  other_companies jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, token_hash),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index employee_access_links_of_employee on employee_access_links (company_id, employee_id);

-- The code of the last letter to an employee. A new letter replaces it.
create table employee_letter_codes (
  company_id bigint not null,
  employee_id bigint not null,
  -- The HR id on the letter, as it is compared.
  hr_key text not null,
  salt bytea not null,
  code_hash bytea not null check (length(code_hash) = 32),
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (company_id, employee_id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index employee_letter_codes_by_hr_key on employee_letter_codes (company_id, hr_key);
