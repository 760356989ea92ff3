-- Second factors, step-up and the rules of a company for sessions (docs/decisions/0050-second-factor.md). Like portal_users, these
-- tables belong to accounts and have no foreign key into a company.
create table portal_second_factors (
  user_id text primary key references portal_users on delete cascade,
  company_id bigint not null,
  -- The shared secret of the authenticator app, encrypted and bound to this row (src/encryption.ts).
  encrypted_secret text not null,
  -- Null: the user has not entered a code yet, so the factor does not count.
  confirmed_at timestamptz,
  -- The time step of the last accepted code. A code works once.
  last_step bigint not null default 0,
  -- The SHA-256 of each recovery code that was not used, in hexadecimal digits.
  recovery_hashes text[] not null default '{}',
  created_at timestamptz not null default now()
);

-- Networks from which a user has signed in, as keyed hashes, by which a new one is recognised.
create table portal_known_networks (
  user_id text not null references portal_users on delete cascade,
  network text not null,
  last_used_at timestamptz not null default now(),
  primary key (user_id, network)
);

-- When the user last used the session, to the minute. Null: not since this column exists.
alter table portal_sessions add column last_used_at timestamptz;
-- When the user last proved who they are within the session.
alter table portal_sessions add column stepped_up_at timestamptz;

alter table companies add column session_idle_minutes integer not null default 10080;
alter table companies add column second_factor_required boolean not null default false;
