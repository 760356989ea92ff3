-- What each side has asked for and not taken back, as in src/domain/subscription/requested.ts. Null: nothing, or only what an earlier
-- release has stored in `pause_requested` and `cancel_causes`, which is the company's.
alter table employees add column requested jsonb;
alter table employees drop constraint employees_not_subscribed_because_check;
alter table employees add constraint employees_not_subscribed_because_check check (not_subscribed_because in ('opted-out',
  'not-requested', 'employment-ends', 'pause-requested', 'ended-by-employee', 'ended-by-company')) not valid;
alter table api_keys drop constraint api_keys_permissions_check;
alter table api_keys add constraint api_keys_permissions_check check (permissions <@ array['view-employees',
  'view-hr-integrations', 'view-billing', 'add-employees', 'update-employees', 'remove-employees',
  'manage-subscriptions']) not valid;

-- Requests about subscriptions that were applied: by whom, and what became of them. A refused one leaves nothing behind.
create table subscription_requests (
  company_id bigint not null,
  id bigint generated always as identity,
  employee_id bigint not null,
  action text not null check (action in ('subscribe', 'pause', 'resume', 'cancel')),
  side text not null check (side in ('employee', 'company')),
  from_on date not null,
  until_on date,
  reason text,
  consent_given text check (consent_given in ('electronically', 'on-paper')),
  consent_on date,
  actor_type text not null check (actor_type in ('key', 'user', 'operator', 'employee', 'service')),
  actor text,
  requested_at timestamptz not null,
  status text not null default 'applied' check (status in ('applied', 'replaced', 'undone')),
  -- The later request of the same side that replaced this one.
  replaced_by bigint,
  -- The last day on which it can be undone. Null: never.
  undo_until date,
  undone_at timestamptz,
  undone_by_type text check (undone_by_type in ('key', 'user', 'operator', 'employee', 'service')),
  undone_by text,
  -- The subscription before and after the request, to restore what was before.
  before jsonb not null,
  after jsonb not null,
  primary key (company_id, id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index subscription_requests_by_employee on subscription_requests (company_id, employee_id, id);

-- The responses to requests with the header Idempotency-Key, for 24 hours of real time.
create table idempotency_keys (
  company_id bigint not null,
  api_key_id text not null,
  idempotency_key text not null,
  request_hash bytea not null check (length(request_hash) = 32),
  -- Which attempt may finish, and until when it holds the key. One that died leaves it to the next one.
  attempt uuid not null,
  held_until timestamptz,
  created_at timestamptz not null default now(),
  -- Null while it is running.
  status integer,
  body text,
  primary key (company_id, api_key_id, idempotency_key),
  foreign key (company_id) references companies(id),
  foreign key (company_id, api_key_id) references api_keys(company_id, id) on delete cascade
);
create index idempotency_keys_by_age on idempotency_keys (company_id, created_at);
