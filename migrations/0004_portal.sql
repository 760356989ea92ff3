-- People of the portal, their sessions and invitations (docs/decisions/0014-portal-sign-in.md). The first four tables are
-- better-auth's, under our names. Somebody who signs in is looked up by address or by token, before his company is known,
-- so they are no company's tables and hold no foreign key into one.

-- Somebody who was removed keeps his name, so that the audit log stays readable; his address is given up.
create table portal_users (
  id text primary key,
  company_id bigint not null,
  name text not null check (name <> ''),
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  role text not null check (role in ('admin', 'developer', 'viewer')),
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz
);
create index portal_users_of_company on portal_users (company_id, id);

create table portal_sessions (
  id text primary key,
  token text not null unique,
  user_id text not null references portal_users on delete cascade,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index portal_sessions_of_user on portal_sessions (user_id);

create table portal_accounts (
  id text primary key,
  user_id text not null references portal_users on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index portal_accounts_of_user on portal_accounts (user_id);

create table portal_verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index portal_verifications_by_identifier on portal_verifications (identifier);

-- Failed sign-ins of an address, known or not, within a window that begins with the first of them.
create table portal_sign_in_failures (
  email_hash bytea primary key check (length(email_hash) = 32),
  failures integer not null,
  ends_at timestamptz not null
);
create index portal_sign_in_failures_over on portal_sign_in_failures (ends_at);

-- The link holds the token; here is only its hash.
create table invitations (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  token_hash bytea not null check (length(token_hash) = 32),
  email text not null,
  role text not null check (role in ('admin', 'developer', 'viewer')),
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (company_id, id),
  unique (company_id, token_hash)
);
