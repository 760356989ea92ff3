-- migrate: unread since 0.4.0
-- The schema as the 63 migrations of release 0.3.0 created it. A database of that release is recognized as being at this
-- point (src/platform/db/migrate-state.ts). The marker above keeps older releases from running on a new database.

-- Search by parts of names, and by a company together with them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- == The environment, limits and prices ==
-- The name of the environment guards against a wrong DATABASE_URL. Prices are valid from a day on.

-- One row: which environment this database belongs to. A process of the other environment refuses to start on it.
create table environment (
  one_row boolean not null default true check (one_row),
  name text not null check (name in ('staging', 'production')),
  -- How far time travel has moved the clock of a staging environment.
  clock_ahead_seconds bigint not null default 0 check (clock_ahead_seconds >= 0),
  -- A text that was encrypted with SECRET at the first start. A process that cannot decrypt it has another SECRET, and refuses
  -- to start (docs/decisions/0034-stored-secrets.md).
  secret_check text,
  primary key (one_row)
);

create table rate_limit_windows (
  name_hash bytea not null check (octet_length(name_hash) = 32),
  hits integer not null,
  ends_at timestamptz not null,
  primary key (name_hash)
);

-- Operator's price list. Tickets are priced gross, fees net; a price holds until a newer one.
create table ticket_prices (
  valid_from date not null check (extract(day from valid_from) = 1),
  list_cents integer not null check (list_cents >= 0),
  tax_percent integer not null check (tax_percent >= 0 and tax_percent <= 100),
  -- Off the list price, when the company bears at least discount_share_percent of it.
  discount_percent integer not null check (discount_percent >= 0 and discount_percent <= 100),
  discount_share_percent integer not null check (discount_share_percent >= 0 and discount_share_percent <= 100),
  primary key (valid_from)
);

create table fee_prices (
  charge_type text not null check (charge_type in ('service-charge', 'hr-integration-charge',
    'hr-payroll-integration-charge', 'api-charge')),
  valid_from date not null check (extract(day from valid_from) = 1),
  net_cents integer not null check (net_cents >= 0),
  tax_percent integer not null check (tax_percent >= 0 and tax_percent <= 100),
  primary key (charge_type, valid_from)
);

-- The operator's data, which belong to no company. The newest row applies; earlier ones say what applied before.
create table seller_settings (
  id bigint generated always as identity,
  seller jsonb not null,
  set_at timestamptz not null,
  primary key (id)
);

insert into ticket_prices values ('2023-05-01', 4900, 7, 5, 25), ('2025-01-01', 5800, 7, 5, 25),
  ('2026-01-01', 6300, 7, 5, 25);
insert into fee_prices values ('service-charge', '2023-05-01', 150, 19), ('hr-integration-charge', '2023-05-01', 100, 19),
  ('hr-payroll-integration-charge', '2023-05-01', 0, 19), ('api-charge', '2023-05-01', 0, 19);

-- == Companies ==
-- Every table of a company has company_id first in its primary key and in every foreign key (docs/decisions/0002).

create table companies (
  id bigint generated always as identity,
  name text not null check (name <> ''),
  locale text not null default 'de-DE',
  currency text not null default 'EUR',
  time_zone text not null default 'Europe/Berlin',
  plan_type text not null default 'fully-subsidized-plan' check (plan_type in ('fully-subsidized-plan',
    'deferred-plan', 'split-pay-plan')),
  contribution_cents integer not null default 0 check (contribution_cents >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  cut_off_day integer not null default 10 check (cut_off_day >= 1 and cut_off_day <= 31),
  guard_minimum_linked integer not null default 100 check (guard_minimum_linked >= 1),
  guard_maximum_absent_percent integer not null default 20 check (guard_maximum_absent_percent >= 0
    and guard_maximum_absent_percent <= 100),
  retention_days integer not null default 90 check (retention_days >= 0),
  processed_through date not null,
  -- How long entries of the audit log are kept; no setting makes it less than a month.
  audit_retention_days integer not null default 730 check (audit_retention_days >= 30),
  -- How a company's payroll takes the tickets (docs/payroll.md). Null: not set yet; the service guesses no number.
  payroll_system text not null default 'csv',
  payroll_consultant integer,
  payroll_client integer,
  wage_type_tax_free integer,
  wage_type_flat_tax integer,
  wage_type_deduction integer,
  tax_treatment text not null default 'tax-free',
  benefit_valuation integer not null default 100,
  -- The company's data on its invoices. Null: not entered.
  legal_name text,
  street text,
  post_code text,
  city text,
  country text,
  vat_id text,
  invoice_email text,
  buyer_reference text,
  session_idle_minutes integer not null default 10080,
  second_factor_required boolean not null default false,
  personnel_number_rule text not null default 'hr-id',
  primary key (id),
  constraint companies_payroll_system check (payroll_system in ('csv', 'datev-lodas', 'datev-lug')),
  constraint companies_tax_treatment check (tax_treatment in ('tax-free', 'flat-tax')),
  constraint companies_benefit_valuation check (benefit_valuation = 96 or benefit_valuation = 100),
  constraint companies_personnel_number_rule check (personnel_number_rule in ('hr-id', 'hr-id-digits'))
);

-- Counts the transactions that have changed records of a company, so that a reader knows whether an answer it keeps is
-- still true (src/platform/db/write.ts). A table of its own: its row is the last one that a transaction locks, so that two writers
-- of a company never wait for each other in a circle. A company without a row has version 0.
create table company_versions (
  company_id bigint not null,
  version bigint not null,
  -- The sequence of the company's newest event. Stays when events are deleted.
  event_sequence bigint not null default 0,
  primary key (company_id),
  foreign key (company_id) references companies(id)
) with (fillfactor=10);

-- == Accounts ==
-- Users of the portal, how they sign in, and their invitations.

-- Somebody who was removed keeps their name, so that the audit log stays readable; their address is given up.
create table portal_users (
  id text not null,
  company_id bigint not null,
  name text not null check (name <> ''),
  email text not null,
  email_verified boolean not null default false,
  image text,
  role text not null check (role in ('admin', 'developer', 'viewer')),
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  -- Several roles per user (docs/decisions/0045-roles.md). Releases without role sets read and write `role` only, so it stays and
  -- holds the closest role that they know. Null, or a set that does not agree with `role`: the user has just that role.
  roles text[] check (roles <@ array['admin', 'hr', 'payroll', 'developer', 'viewer']),
  -- One account per address (docs/decisions/0048-accounts-and-memberships.md). A row of portal_users is a membership in a company. Those
  -- with a proof of the address form the account of that address; one without is local to its company. No existing row has a proof.
  address_proven_at timestamptz,
  language text,
  -- The notices by mail that a user has switched off (src/domain/notices.ts). Null: none, so all are on.
  switched_off_notices text[],
  -- The views of lists that a user has saved: by the name of the list, then by the name of the view. Null: none.
  saved_views jsonb,
  primary key (id)
);
create index portal_users_of_company on portal_users (company_id, id);
create unique index portal_users_of_address on portal_users (company_id, email);
create index portal_users_by_email on portal_users (email);

create table portal_accounts (
  id text not null,
  user_id text not null,
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
  primary key (id),
  unique (provider_id, account_id),
  foreign key (user_id) references portal_users(id) on delete cascade
);
create index portal_accounts_of_user on portal_accounts (user_id);

create table portal_sessions (
  id text not null,
  token text not null,
  user_id text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the user last used the session, to the minute. Null: not since this column exists.
  last_used_at timestamptz,
  -- When the user last proved who they are within the session.
  stepped_up_at timestamptz,
  -- How a session was opened, and the membership whose passkey it is after a removal (docs/decisions/0059-sessions-and-their-origin.md).
  -- Null: opened by a release that did not record it.
  method text,
  -- The company whose identity provider opened the session. It opens no other company. Null: no identity provider did.
  connection_company_id bigint,
  primary key (id),
  unique (token),
  foreign key (user_id) references portal_users(id) on delete cascade
);
create index portal_sessions_of_user on portal_sessions (user_id);

create table portal_verifications (
  id text not null,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id)
);
create index portal_verifications_by_identifier on portal_verifications (identifier);

-- Failed sign-ins of an address, known or not, within a window that begins with the first of them.
create table portal_sign_in_failures (
  email_hash bytea not null check (length(email_hash) = 32),
  failures integer not null,
  ends_at timestamptz not null,
  primary key (email_hash)
);
create index portal_sign_in_failures_over on portal_sign_in_failures (ends_at);

-- Second factors, step-up and the rules of a company for sessions (docs/decisions/0050-second-factor.md). Like portal_users, these
-- tables belong to accounts and have no foreign key into a company.
create table portal_second_factors (
  user_id text not null,
  company_id bigint not null,
  -- The shared secret of the authenticator app, encrypted and bound to this row (src/encryption.ts).
  encrypted_secret text not null,
  -- Null: the user has not entered a code yet, so the factor does not count.
  confirmed_at timestamptz,
  -- The time step of the last accepted code. A code works once.
  last_step bigint not null default 0,
  -- The SHA-256 of each recovery code that was not used, in hexadecimal digits.
  recovery_hashes text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (user_id),
  foreign key (user_id) references portal_users(id) on delete cascade
);

-- Networks from which a user has signed in, as keyed hashes, by which a new one is recognised.
create table portal_known_networks (
  user_id text not null,
  network text not null,
  last_used_at timestamptz not null default now(),
  primary key (user_id, network),
  foreign key (user_id) references portal_users(id) on delete cascade
);

-- Passkeys (docs/decisions/0052-passkeys.md). Like portal_second_factors, this table belongs to accounts.
create table portal_passkeys (
  id text not null,
  user_id text not null,
  company_id bigint not null,
  -- The name that the user gave it.
  name text not null,
  -- The id that the authenticator gave it, in base64url.
  credential_id text not null,
  -- A COSE key in base64url. It is public: it verifies signatures and creates none.
  public_key text not null,
  -- How often the key was used, as the authenticator counts. Authenticators that synchronise keys count nothing: 0.
  counter bigint not null default 0,
  -- How a browser reaches the authenticator, such as usb or internal.
  transports text[] not null default '{}',
  -- Whether the authenticator copies the key to other devices of the user.
  is_synced boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- Under which name authenticators have stored the user. Null: under the id of the user.
  user_handle text,
  primary key (id),
  unique (credential_id),
  foreign key (user_id) references portal_users(id) on delete cascade
);
create index portal_passkeys_of_user on portal_passkeys (user_id);

-- The link holds the token; here is only its hash.
create table invitations (
  company_id bigint not null,
  id bigint generated always as identity,
  token_hash bytea not null check (length(token_hash) = 32),
  email text not null,
  role text not null check (role in ('admin', 'developer', 'viewer')),
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  roles text[] check (roles <@ array['admin', 'hr', 'payroll', 'developer', 'viewer']),
  -- True: the link was mailed to the address and shown to nobody, so the user who opens it owns the address.
  is_mailed boolean not null default false,
  primary key (company_id, id),
  unique (company_id, token_hash),
  foreign key (company_id) references companies(id)
);
create index invitations_of_inviter on invitations (company_id, invited_by) where accepted_at is null
  and revoked_at is null;

-- Single sign-on of a company by OpenID Connect (docs/decisions/0051-single-sign-on.md).
create table sso_connections (
  company_id bigint not null,
  issuer text not null check (issuer <> ''),
  client_id text not null check (client_id <> ''),
  -- Encrypted and bound to this row (src/encryption.ts).
  encrypted_client_secret text not null,
  -- The roles of users whose groups give them no role. Empty: these users are refused.
  default_roles text[] not null check (default_roles <@ array['admin', 'hr', 'payroll', 'developer', 'viewer']),
  -- The claim of the ID token that lists groups, and the roles of each group: [{"group": "…", "roles": ["hr"]}].
  groups_claim text not null default 'groups',
  group_roles jsonb not null default '[]'::jsonb,
  -- True: only the user below signs in with a password.
  is_enforced boolean not null default false,
  break_glass_user_id text,
  updated_at timestamptz not null default now(),
  primary key (company_id),
  constraint sso_connections_check check ((not is_enforced) or break_glass_user_id is not null),
  foreign key (company_id) references companies(id)
);

-- Domains of the addresses of a company. Looked up before the company is known, so this is no company's table. A domain without a
-- proof belongs to nobody: several companies may claim it.
create table sso_domains (
  domain text not null check (domain <> ''),
  company_id bigint not null,
  -- What the TXT record of the domain must contain.
  token text not null,
  proven_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (domain, company_id)
);
create unique index sso_domains_proven on sso_domains (domain) where proven_at is not null;
create index sso_domains_of_company on sso_domains (company_id);

-- == Keys of the API ==
-- Secrets are stored as hashes.

-- id is the random part of the public username. A rotation keeps the password before it valid until an agreed moment.
create table api_keys (
  company_id bigint not null,
  id text not null,
  name text not null,
  permissions text[] not null check (permissions <@ array['view-employees', 'view-hr-integrations', 'view-billing',
    'add-employees', 'update-employees', 'remove-employees']),
  secret_hash bytea not null check (length(secret_hash) = 32),
  previous_secret_hash bytea check (length(previous_secret_hash) = 32),
  previous_valid_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- The portal user who created the key, and the one who was shown its current password; null: the operator.
  created_by text,
  secret_shown_to text,
  -- The permissions that a key gets once an admin approves them, all of them together (docs/decisions/0060-nobody-grants-more-than-they-have.md).
  -- Null: nothing waits.
  requested_permissions text[],
  primary key (company_id, id),
  constraint api_keys_check check ((previous_secret_hash is null) = (previous_valid_until is null)),
  foreign key (company_id) references companies(id)
);
create index api_keys_of_creator on api_keys (company_id, created_by) where created_by is not null;

-- How many requests each key has made in each hour.
create table api_key_usage (
  company_id bigint not null,
  key_id text collate "C" not null,
  hour timestamptz not null,
  requests integer not null,
  client_errors integer not null,
  server_errors integer not null,
  -- The address of the last request of which it is known.
  last_address text,
  primary key (company_id, key_id, hour),
  foreign key (company_id) references companies(id)
);

-- The log of requests, some in one row: those of one company that were written together and sent in the same minute. With
-- one row and three index entries per request, PostgreSQL took more time for the log of a request than for a repeated
-- request itself (docs/decisions/0042-request-log.md). No foreign key, as before. The table before was in no release.
create table api_request_batches (
  company_id bigint not null,
  -- When the response to the last of the requests was sent. The first one is of the same minute.
  last_at timestamptz not null,
  -- Chosen by the process that writes the batch, so that a repeated attempt stores nothing twice.
  id uuid not null,
  -- The requests as `StoredRequest` (src/api-requests/write.ts).
  requests json not null,
  primary key (company_id, last_at, id)
);

-- == Integrations and connectors ==
-- Where rosters come from, and how systems are pulled.

create table hr_integrations (
  company_id bigint not null,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  type text not null check (type in ('hr-integration', 'api-integration')),
  status text not null check (status in ('active', 'invalid', 'inactive')),
  initial_connection_status text not null check (initial_connection_status in ('incomplete', 'final-sync-pending',
    'completed')),
  last_sync_id text,
  last_synced_at timestamptz,
  last_sync_status text check (last_sync_status in ('succeeded', 'partially-failed', 'failed',
    'authentication-failed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  roster_sync_id text,
  roster_synced_at timestamptz,
  -- What a user chose for the columns of an uploaded roster, by the key of their headings. Null: nothing yet.
  upload_columns jsonb,
  -- When the next roster of an integration is overdue by its usual rhythm (src/domain/roster/rhythm.ts). Null: unknown.
  roster_due_at timestamptz,
  -- Since when it is overdue, and reported to be. Null: it is not. The next roster clears it.
  overdue_since timestamptz,
  -- When the last API key that may push rosters to the integration expires, or has ended. Null: never, or no key has pushed
  -- its last roster.
  push_ends_at timestamptz,
  -- A deleted integration stays hidden, because syncs and charges refer to it.
  deleted_at timestamptz,
  primary key (company_id, id),
  constraint hr_integrations_check check ((last_sync_id is null) = (last_sync_status is null)),
  constraint hr_integrations_check1 check ((roster_sync_id is null) = (roster_synced_at is null)),
  foreign key (company_id) references companies(id)
);
create index hr_integrations_by_created on hr_integrations (company_id, created_at, id);
create index hr_integrations_by_updated on hr_integrations (company_id, updated_at, id);
create index hr_integrations_by_type on hr_integrations (company_id, type, id);

-- How an integration pulls. Deleting a row forgets the credentials; links and syncs stay.
create table hr_connectors (
  company_id bigint not null,
  hr_integration_id bigint not null,
  provider text not null check (provider in ('personio', 'hibob', 'bamboohr', 'sftp-csv')),
  -- JSON, encrypted and bound to this row (src/encryption.ts).
  encrypted_credentials text not null,
  -- Rules that turn a record of the HR system into an entry of the roster (src/domain/connectors). Each change counts one
  -- version more; the audit log has all versions.
  mapping jsonb not null,
  mapping_version integer not null default 1,
  -- HH:MM in the time zone of the company.
  nightly_time text not null,
  -- Null: the schedule has stopped until somebody reconnects.
  next_pull_at timestamptz,
  -- Failed pulls since the last complete one or the last nightly time.
  attempts integer not null default 0,
  -- When the HR system first refused the credentials. Null: it accepted them last time.
  refused_at timestamptz,
  -- Why the last pull failed. Null: it did not.
  failure_code text,
  failure_reason text,
  -- How many records the last complete pull read: an empty answer after it is a failure.
  last_people integer,
  connected_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What a connector must remember between two pulls, such as the size of the file that it read last. No personal data.
  memory jsonb,
  failure_message jsonb,
  primary key (company_id, hr_integration_id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, hr_integration_id) references hr_integrations(company_id, id)
);
create index hr_connectors_due on hr_connectors (next_pull_at) where next_pull_at is not null;

-- Attempts to read a complete roster.
create table pulls (
  company_id bigint not null,
  id bigint generated always as identity,
  hr_integration_id bigint not null,
  kind text not null check (kind in ('nightly', 'manual', 'preview')),
  -- A nightly pull: the local date of the nightly time that it is for, and how many attempts for it came before.
  night date,
  attempt integer not null default 0,
  state text not null check (state in ('waiting', 'reading', 'read', 'failed', 'authentication-failed')),
  sync_id text not null,
  requested_by text not null,
  requested_by_user text,
  mapping_version integer,
  pages_read integer not null default 0,
  people_read integer not null default 0,
  people_total integer,
  reason text,
  -- What a preview would do: counts and the first records. Personal data, removed after a day.
  preview jsonb,
  -- Why values of the roster are what they are, by HR id, compressed. Removed when the sync has an outcome.
  explanations bytea,
  requested_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  message jsonb,
  primary key (company_id, id),
  constraint pulls_check check ((kind = 'nightly') = (night is not null)),
  foreign key (company_id) references companies(id),
  foreign key (company_id, hr_integration_id) references hr_integrations(company_id, id)
);
create unique index pulls_once_a_night on pulls (company_id, hr_integration_id, night, attempt)
  where night is not null;
create index pulls_newest_first on pulls (company_id, hr_integration_id, id desc);
create index pulls_to_read on pulls (company_id, hr_integration_id, id) where state in ('waiting', 'reading');
create index pulls_of_sync on pulls (company_id, hr_integration_id, sync_id);

-- == Employees and their subscriptions ==
-- Counts are stored, so that a total needs no scan (docs/decisions/0005).

-- email_key and search_text are folded by src/domain/search.ts, so that the database's locale decides nothing.
create table employees (
  company_id bigint not null,
  id bigint generated always as identity,
  first_name text not null,
  last_name text not null,
  email text not null,
  email_key text not null,
  search_text text not null,
  date_of_birth date,
  profile_image text,
  employed_from date,
  terminated_on date,
  auto_subscribe boolean,
  subscription_status text not null default 'no-subscription' check (subscription_status in ('no-subscription',
    'scheduled', 'active', 'scheduled-pause', 'paused', 'scheduled-cancellation', 'cancelled')),
  start_on date,
  next_ticket_on date,
  paused_on date,
  cancelled_on date,
  reactivated_on date,
  plan_type text not null check (plan_type in ('fully-subsidized-plan', 'deferred-plan', 'split-pay-plan')),
  contract_status text check (contract_status in ('pending', 'accepted', 'rejected')),
  contribution_cents integer check (contribution_cents >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  resumes_on date,
  cancel_causes text[] not null default '{}' check (cancel_causes <@ array['termination', 'offboard',
    'contract-rejected', 'opt-out', 'cancel']),
  pause_requested boolean not null default false,
  is_leaving boolean not null default false,
  removes_on date,
  -- The next day on which the daily run has to look at this person; null: nothing is known to come. Rows written by
  -- hand are looked at by the next run.
  due_on date default '-infinity'::date,
  -- Why the rules leave an employee without a subscription, so that it is recorded once and not with every roster.
  not_subscribed_because text check (not_subscribed_because in ('opted-out', 'not-requested', 'employment-ends',
    'pause-requested')),
  -- The dates that were reached, and that a later plan has replaced: those of the ended subscription until a new one
  -- starts, and the last pause while another one is planned. Null where nothing was replaced, and for what was replaced
  -- before this column existed: such a date is shown again when the next one is reached.
  past_start_on date,
  past_paused_on date,
  past_cancelled_on date,
  past_reactivated_on date,
  -- The number under which payroll knows an employee, if the roster has one, and what stands in for it otherwise.
  personnel_number text,
  primary key (company_id, id),
  constraint employees_check check ((plan_type = 'split-pay-plan') = (contribution_cents is not null)),
  constraint employees_check1 check (plan_type <> 'fully-subsidized-plan' or contract_status is null),
  foreign key (company_id) references companies(id)
);
create unique index employees_by_email on employees (company_id, email_key) where removed_at is null;
create index employees_by_id on employees (company_id, id) where removed_at is null;
create index employees_by_created on employees (company_id, created_at, id) where removed_at is null;
create index employees_by_updated on employees (company_id, updated_at, id) where removed_at is null;
create index employees_by_status on employees (company_id, subscription_status, id) where removed_at is null;
create index employees_by_plan on employees (company_id, plan_type, id) where removed_at is null;
create index employees_search on employees using gin (company_id, search_text gin_trgm_ops) where removed_at is null;
create index employees_removed on employees (company_id, removed_at) where removed_at is not null;
create index employees_pending_contract on employees (company_id, subscription_status)
  where contract_status = 'pending' and removed_at is null;
create index employees_by_next_ticket on employees (company_id, next_ticket_on) where next_ticket_on is not null
  and removed_at is null;
create index employees_by_name on employees (company_id,
  (((last_name || ', '::text) || first_name)) collate "und-x-icu", id) where removed_at is null;
create index employees_by_start on employees (company_id, start_on, id) where removed_at is null;
create index employees_in_order_of_tickets on employees (company_id, next_ticket_on, id) where removed_at is null;

-- How many visible employees each status and plan has. Each change of employees refreshes it in the same transaction,
-- so a page's total needs no scan (docs/decisions/0005-totals-without-scans.md).
create table employee_counts (
  company_id bigint not null,
  subscription_status text not null check (subscription_status in ('no-subscription', 'scheduled', 'active',
    'scheduled-pause', 'paused', 'scheduled-cancellation', 'cancelled')),
  plan_type text not null check (plan_type in ('fully-subsidized-plan', 'deferred-plan', 'split-pay-plan')),
  employees bigint not null,
  primary key (company_id, subscription_status, plan_type),
  foreign key (company_id) references companies(id)
);

-- A link without an integration is a custom one, made by hand.
create table hr_links (
  company_id bigint not null,
  id bigint generated always as identity,
  employee_id bigint not null,
  hr_integration_id bigint,
  hr_id text not null check (length(hr_id) >= 1 and length(hr_id) <= 255),
  last_sync_id text,
  last_synced_at timestamptz,
  entry_hash text,
  is_current boolean not null default false,
  primary key (company_id, id),
  constraint hr_links_check check ((not is_current) or hr_integration_id is not null),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade,
  foreign key (company_id, hr_integration_id) references hr_integrations(company_id, id)
);
create index hr_links_of_employee on hr_links (company_id, employee_id);
create unique index hr_links_by_hr_id on hr_links (company_id, hr_integration_id, hr_id) nulls not distinct;
create unique index hr_links_one_per_integration on hr_links (company_id, hr_integration_id, employee_id)
  where hr_integration_id is not null;
create index hr_links_of_hr_id on hr_links (company_id, hr_id, employee_id);

create table absences (
  company_id bigint not null,
  id bigint generated always as identity,
  employee_id bigint not null,
  starts_on date not null,
  ends_on date,
  approved boolean not null,
  primary key (company_id, id),
  constraint absences_check check (ends_on >= starts_on),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index absences_of_employee on absences (company_id, employee_id);

-- Why a subscription is as it is: every change with its day, cause and rule.
create table subscription_changes (
  company_id bigint not null,
  employee_id bigint not null,
  id bigint generated always as identity,
  known_on date not null,
  effective_on date not null,
  cause text not null,
  rule text not null,
  detail text not null,
  from_status text not null,
  to_status text not null,
  fields jsonb not null,
  recorded_at timestamptz not null default now(),
  actor_type text not null default 'service' check (actor_type in ('key', 'user', 'operator', 'employee', 'service')),
  actor text,
  sync_key bigint,
  message jsonb,
  primary key (company_id, employee_id, id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);

-- == Rosters ==
-- Each push of a roster, and what it did with each record.

create table syncs (
  company_id bigint not null,
  id bigint generated always as identity,
  hr_integration_id bigint not null,
  sync_id text not null check (length(sync_id) >= 1 and length(sync_id) <= 255),
  state text not null check (state in ('accepted', 'processing', 'succeeded', 'partially-failed', 'failed',
    'authentication-failed')),
  pushed_by text not null,
  accepted_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  content_hash bytea not null default '\x'::bytea,
  entry_count integer not null default 0,
  attempts integer not null default 0,
  reason text,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  unchanged_count integer not null default 0,
  offboarded_count integer not null default 0,
  held_count integer not null default 0,
  failed_count integer not null default 0,
  held_state text check (held_state in ('pending', 'approved', 'rejected', 'replaced')),
  pushed_by_user text,
  -- What is probably a mistake in a roster that was accepted (docs/decisions/0018-roster-warnings.md): a list of codes with
  -- field, count, first place and the entries concerned. No default is computed and no row is rewritten.
  warnings jsonb not null default '[]'::jsonb,
  -- Who decided about removals that a sync held back, and when. Null: nobody has, or it was an older version that did not keep it.
  decided_by text,
  decided_by_user text,
  decided_at timestamptz,
  -- The request that pushed the roster of a sync, so that the log lines of the worker and of the API can be joined. Null for syncs
  -- of earlier versions and of the demo company.
  request_id text,
  message jsonb,
  -- The name of the file that was uploaded. Null: the roster was not uploaded.
  file_name text,
  -- HR ids and email addresses of the rows that a user left out of an upload. Their employees stay. Null once applied.
  left_out jsonb,
  primary key (company_id, id),
  unique (company_id, hr_integration_id, sync_id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, hr_integration_id) references hr_integrations(company_id, id)
);
create index syncs_newest_first on syncs (company_id, hr_integration_id, id desc);
create index syncs_to_apply on syncs (company_id, hr_integration_id, id) where state in ('accepted', 'processing');
create index syncs_held on syncs (company_id, hr_integration_id) where held_state = 'pending';

-- The roster of a sync that is not yet applied: lines of JSON, compressed.
create table sync_rosters (
  company_id bigint not null,
  sync_key bigint not null,
  part integer not null,
  content bytea not null,
  primary key (company_id, sync_key, part),
  foreign key (company_id) references companies(id),
  foreign key (company_id, sync_key) references syncs(company_id, id) on delete cascade
);

-- One record for every entry that was not unchanged, and for everybody absent. employee_id goes when the employee is erased.
create table sync_records (
  company_id bigint not null,
  sync_key bigint not null,
  id bigint generated always as identity,
  hr_id text not null,
  employee_id bigint,
  outcome text not null check (outcome in ('created', 'updated', 'offboarded', 'held', 'failed')),
  code text not null,
  detail text not null,
  changes jsonb not null,
  reasons jsonb not null,
  message jsonb,
  primary key (company_id, sync_key, id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, sync_key) references syncs(company_id, id) on delete cascade,
  foreign key (company_id, employee_id) references employees(company_id, id) on delete set null (employee_id)
);
create index sync_records_by_outcome on sync_records (company_id, sync_key, outcome, id);
create index sync_records_of_employee on sync_records (company_id, employee_id);

-- == Tickets ==

create table tickets (
  company_id bigint not null,
  employee_id bigint not null,
  month date not null check (EXTRACT(day from month) = (1)::numeric),
  ticket_id text not null,
  valid_from date not null,
  valid_until date not null,
  wallet_token text not null,
  issued_at timestamptz not null default now(),
  plan_type text not null check (plan_type in ('fully-subsidized-plan', 'deferred-plan', 'split-pay-plan')),
  contribution_cents integer check (contribution_cents >= 0),
  primary key (company_id, employee_id, month),
  unique (company_id, ticket_id),
  unique (company_id, wallet_token),
  constraint tickets_check check (valid_until >= valid_from),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index tickets_by_month on tickets (company_id, month, employee_id);

-- == Billing ==

-- Charges are never changed: a correction is a new item that names the item it reverses. employee_id goes when the
-- employee is erased; what was billed and the hr_id stay.
create table billing_items (
  company_id bigint not null,
  id bigint generated always as identity,
  period date not null check (EXTRACT(day from period) = (1)::numeric),
  charge_type text not null check (charge_type in ('service-charge', 'ticket-charge', 'hr-integration-charge',
    'hr-payroll-integration-charge', 'api-charge')),
  net_cents bigint not null,
  tax_cents bigint not null,
  gross_cents bigint not null,
  employee_id bigint,
  first_name text,
  last_name text,
  email text,
  hr_id text,
  plan_type text check (plan_type in ('fully-subsidized-plan', 'deferred-plan', 'split-pay-plan')),
  company_share_cents bigint,
  employee_share_cents bigint,
  hr_integration_id bigint,
  corrects_id bigint,
  billed_at timestamptz not null,
  reason text,
  -- A correction belongs to the period of the day on which it is made, and names the period of the item that it corrects.
  -- Null beside corrects_id: the correction is in the period of its item, as all were before this migration.
  corrects_period date,
  primary key (company_id, id),
  constraint billing_items_check check ((net_cents + tax_cents) = gross_cents),
  constraint billing_items_check1 check ((charge_type = 'ticket-charge') = (plan_type is not null)),
  constraint billing_items_check2 check ((plan_type is null) = (company_share_cents is null)),
  constraint billing_items_check3 check ((plan_type is null) = (employee_share_cents is null)),
  constraint billing_items_check4 check ((company_share_cents + employee_share_cents) = gross_cents),
  constraint billing_items_check5 check ((reason is null) = (corrects_id is null)),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete set null (employee_id),
  foreign key (company_id, hr_integration_id) references hr_integrations(company_id, id),
  foreign key (company_id, corrects_id) references billing_items(company_id, id)
);
create unique index billing_items_ticket_once on billing_items (company_id, employee_id, period)
  where charge_type = 'ticket-charge' and corrects_id is null;
create unique index billing_items_fee_once on billing_items (company_id, period, charge_type,
  hr_integration_id) nulls not distinct where charge_type <> 'ticket-charge' and corrects_id is null;
create unique index billing_items_corrected_once on billing_items (company_id, corrects_id)
  where corrects_id is not null;
create index billing_items_by_period on billing_items (company_id, period, id);
create index billing_items_by_billed on billing_items (company_id, billed_at, id);
create index billing_items_by_type on billing_items (company_id, charge_type, id);
create index billing_items_by_period_type on billing_items (company_id, period, charge_type, id);
create index billing_items_of_employee on billing_items (company_id, employee_id) where employee_id is not null;

-- Written with the billing items, in the same transaction.
create table billing_totals (
  company_id bigint not null,
  period date not null,
  charge_type text not null check (charge_type in ('service-charge', 'ticket-charge', 'hr-integration-charge',
    'hr-payroll-integration-charge', 'api-charge')),
  items bigint not null,
  net_cents bigint not null,
  tax_cents bigint not null,
  gross_cents bigint not null,
  primary key (company_id, period, charge_type),
  foreign key (company_id) references companies(id)
);

-- What a company used, as it was when the period was billed for the first time. Every later run bills by it. A period that
-- has no row here was not billed yet.
create table billing_quantities (
  company_id bigint not null,
  id bigint generated always as identity,
  period date not null check (EXTRACT(day from period) = (1)::numeric),
  charge_type text not null check (charge_type in ('service-charge', 'hr-integration-charge',
    'hr-payroll-integration-charge', 'api-charge')),
  hr_integration_id bigint,
  quantity bigint not null check (quantity >= 0),
  primary key (company_id, id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, hr_integration_id) references hr_integrations(company_id, id)
);
create unique index billing_quantities_once on billing_quantities (company_id, period, charge_type,
  hr_integration_id) nulls not distinct;

-- == Invoices ==

create table invoices (
  company_id bigint not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('invoice', 'credit-note')),
  period date not null check (EXTRACT(day from period) = (1)::numeric),
  -- Null until the invoice is issued.
  number bigint check (number > 0),
  issued_on date not null,
  due_on date not null,
  net_cents bigint not null,
  tax_cents bigint not null,
  gross_cents bigint not null,
  -- Everything that the invoice says. The files are made of it.
  content jsonb not null,
  -- The last billing item that was considered. Later ones are on a later invoice.
  through_item_id bigint not null,
  -- Key, hash and size of each file by format. Null until they are stored.
  files jsonb,
  created_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id) references companies(id)
);
create unique index invoices_once on invoices (company_id, period, kind);
create unique index invoices_by_number on invoices (company_id, number);
create index invoices_unfinished on invoices (company_id, id) where number is null or files is null;

-- The last number of the environment. Its row is locked by the transaction that issues an invoice. On Citus, the table is
-- on the coordinator and known to Citus, which then commits it and the invoice in two phases.
create table invoice_numbers (
  id boolean not null default true check (id),
  last_number bigint not null check (last_number >= 0),
  primary key (id)
);

-- Charges up to this one were billed before the service issued invoices, and are never invoiced by it.
create table invoice_start (
  id boolean not null default true check (id),
  after_item_id bigint not null,
  primary key (id)
);

insert into invoice_numbers (last_number) values (0);
insert into invoice_start (after_item_id) values (0);

-- == Payroll ==

-- A payroll file that was exported: which items it has and what it says of their employees. Names and amounts are those
-- of the items, which never change; names are gone once the employee is erased.
create table payroll_exports (
  company_id bigint not null,
  period date not null check (EXTRACT(day from period) = (1)::numeric),
  exported_at timestamptz not null,
  primary key (company_id, period),
  foreign key (company_id) references companies(id)
);

create table payroll_lines (
  company_id bigint not null,
  period date not null,
  item_id bigint not null,
  hr_id text not null,
  -- False: the employee was removed when the file was made, so the line says no name.
  is_named boolean not null,
  primary key (company_id, period, item_id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, period) references payroll_exports(company_id, period),
  foreign key (company_id, item_id) references billing_items(company_id, id)
);
create unique index payroll_lines_once on payroll_lines (company_id, item_id);

-- Payroll exports (docs/payroll.md). An export is frozen: it keeps the bytes of its file, so that no later change of the
-- code, of a setting or of an employee changes what was handed over. It contains personnel numbers and amounts, no names.
create table payroll_files (
  company_id bigint not null,
  id bigint generated always as identity,
  -- Counts the exports of the company.
  number integer not null check (number > 0),
  period date not null check (EXTRACT(day from period) = (1)::numeric),
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
  -- An export that an admin has voided: its items are in no export again, its file and its number stay.
  voided_at timestamptz,
  voided_by text,
  -- Null: the operator at the command line.
  voided_by_user text,
  void_reason text,
  primary key (company_id, id),
  unique (company_id, number),
  foreign key (company_id) references companies(id)
);
create index payroll_files_by_period on payroll_files (company_id, period, id);

-- The items of each export, with what was booked for them. An item is in one export.
create table payroll_file_items (
  company_id bigint not null,
  item_id bigint not null,
  file_id bigint not null,
  personnel_number text not null,
  tax_treatment text not null check (tax_treatment in ('tax-free', 'flat-tax')),
  benefit_cents bigint not null,
  deduction_cents bigint not null,
  primary key (company_id, item_id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, file_id) references payroll_files(company_id, id),
  foreign key (company_id, item_id) references billing_items(company_id, id)
);

-- == Documents ==

-- A document is downloadable when it is a PDF whose file is stored. removed_at follows the owner's.
create table documents (
  company_id bigint not null,
  id bigint generated always as identity,
  employee_id bigint,
  name text not null check (name <> ''),
  search_text text not null,
  file_type text not null check (file_type <> ''),
  store_key text,
  sha256 bytea check (length(sha256) = 32),
  size_bytes bigint,
  downloadable boolean generated always as (file_type = 'pdf' and sha256 is not null) stored not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  kind text check (kind in ('subscription-confirmation', 'contribution-agreement', 'ticket-confirmation',
    'cancellation-confirmation')),
  about date,
  edition text,
  content jsonb,
  primary key (company_id, id),
  constraint documents_check check (((sha256 is null) = (store_key is null))
    and ((sha256 is null) = (size_bytes is null))),
  constraint documents_check1 check (((kind is null) = (about is null)) and ((kind is null) = (edition is null))),
  constraint documents_check2 check (kind is null or employee_id is not null),
  constraint documents_check3 check (content is null or (kind is not null and sha256 is null)),
  foreign key (company_id) references companies(id),
  foreign key (company_id, employee_id) references employees(company_id, id)
);
create index documents_by_id on documents (company_id, id) where removed_at is null;
create index documents_search on documents using gin (company_id, search_text gin_trgm_ops) where removed_at is null;
create unique index documents_once on documents (company_id, employee_id, kind, about, edition) where kind is not null;
create index documents_to_render on documents (company_id, id) where content is not null;
create index documents_of_employee on documents (company_id, employee_id, id);
create index documents_by_kind on documents (company_id, kind, about, id) where removed_at is null;

create table document_counts (
  company_id bigint not null,
  documents bigint not null,
  primary key (company_id),
  foreign key (company_id) references companies(id)
);

-- == Contracts ==

-- Decisions about the contracts of many employees, which a job applies (docs/decisions/0047-contracts.md).
create table contract_batches (
  company_id bigint not null,
  id bigint generated always as identity,
  decision text not null check (decision in ('contract-accepted', 'contract-rejected')),
  actor_type text not null,
  actor text,
  total integer not null,
  decided integer not null default 0,
  refused integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- How consent was given, for decisions about many contracts (docs/decisions/0066-consent.md). Null: only that it was recorded is known.
  consent_given text,
  consent_on date,
  -- The name of the user who recorded it.
  recorded_by text,
  primary key (company_id, id),
  foreign key (company_id) references companies(id)
);
create index contract_batches_unfinished on contract_batches (company_id, id) where finished_at is null;

-- The employees of a batch. Each is decided once, in the transaction that sets the outcome.
create table contract_batch_items (
  company_id bigint not null,
  batch_id bigint not null,
  employee_id bigint not null,
  outcome text check (outcome in ('decided', 'refused')),
  primary key (company_id, batch_id, employee_id),
  foreign key (company_id, batch_id) references contract_batches(company_id, id) on delete cascade
);
create index contract_batch_items_open on contract_batch_items (company_id, batch_id, employee_id)
  where outcome is null;

-- Personal links by which employees sign for themselves. One per employee: a new one replaces the old one.
create table signing_links (
  company_id bigint not null,
  employee_id bigint not null,
  -- SHA-256. The link itself is not stored.
  token_hash bytea not null,
  -- Counts the links of the employee. The key of the mail contains it.
  number integer not null default 1,
  -- Times are real time, also on a staging environment whose clock was moved.
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- The agreement as the employee has seen it last: its text, and the file that was made of it.
  agreement jsonb,
  store_key text,
  sha256 bytea,
  size_bytes bigint,
  primary key (company_id, employee_id),
  foreign key (company_id, employee_id) references employees(company_id, id)
);

-- What employees have decided by their link, and about which file. The key lets a decision about one file happen once.
create table contract_signatures (
  company_id bigint not null,
  employee_id bigint not null,
  sha256 bytea not null,
  decision text not null check (decision in ('contract-accepted', 'contract-rejected')),
  decided_at timestamptz not null,
  store_key text not null,
  size_bytes bigint not null,
  primary key (company_id, employee_id, sha256),
  foreign key (company_id, employee_id) references employees(company_id, id)
);

-- == Events and webhooks ==
-- The log of events, and their delivery to webhook endpoints.

-- The event log: what happened in a company, for clients that read it in order (docs/decisions/0035-event-log.md). The
-- sequence of a company has no gaps and follows the order of commits, because it is assigned under the lock of the row in
-- company_versions, as the last thing a transaction does (src/platform/db/write.ts). An identity column would be assigned earlier,
-- and a reader would miss the events of a transaction that commits late.
create table events (
  company_id bigint not null,
  sequence bigint not null check (sequence > 0),
  id text collate "C" not null,
  type text not null check (type in ('employee-subscription-changed', 'employee-created', 'employee-removed',
    'new-employee-document-generated', 'tickets-issued', 'billing-items-created', 'sync-finished',
    'sync-removals-held', 'hr-integration-status-changed', 'roster-overdue', 'payroll-export-ready',
    'invoice-issued', 'webhook-test')),
  occurred_at timestamptz not null,
  payload jsonb not null,
  primary key (company_id, sequence),
  unique (company_id, id),
  foreign key (company_id) references companies(id)
);

-- Outgoing webhooks: where a company wants its events to be sent, what waits to be sent, and the log of all attempts
-- (docs/decisions/0038-webhooks.md). No operation of the API shows these tables, so a change of them alone is not counted in
-- company_versions (src/platform/db/write.ts).
create table webhook_endpoints (
  company_id bigint not null,
  id bigint generated always as identity,
  url text not null,
  -- Empty: all types.
  event_types text[] not null default '{}',
  description text not null default '',
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  -- manual: by a person; gone: the receiver answered 410; failing: five days of nothing but failures.
  disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing')),
  disabled_at timestamptz,
  -- Encrypted and bound to this row (src/encryption.ts). The previous secret also signs until the rotation ends.
  encrypted_secret text not null,
  encrypted_previous_secret text,
  previous_secret_until timestamptz,
  -- Every event up to this sequence has its delivery, if the endpoint wants it.
  cursor_sequence bigint not null,
  -- The first failed attempt since the last success. Null: the last attempt was a success, or there was none.
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  constraint webhook_endpoints_check check ((state = 'disabled') = (disabled_reason is not null)),
  foreign key (company_id) references companies(id)
);

-- One per event and endpoint. Times are real time, also on a staging environment whose clock was moved.
create table webhook_deliveries (
  company_id bigint not null,
  endpoint_id bigint not null,
  sequence bigint not null,
  event_id text collate "C" not null,
  event_type text not null,
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
  -- All attempts that were made, also those before a redelivery.
  attempts integer not null default 0,
  -- Failed attempts since the delivery was requested, which decide when the next one follows.
  failures integer not null default 0,
  -- When the next attempt is due. While a worker makes one, this is when another worker takes over if it gets no result.
  next_attempt_at timestamptz,
  -- The HTTP status of the last attempt. Null: none was made, or it got no response.
  last_status integer,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (company_id, endpoint_id, sequence),
  constraint webhook_deliveries_check check ((state = 'pending') = (next_attempt_at is not null)),
  foreign key (company_id) references companies(id),
  foreign key (company_id, endpoint_id) references webhook_endpoints(company_id, id) on delete cascade
);
create index webhook_deliveries_pending on webhook_deliveries (company_id, endpoint_id, next_attempt_at,
  sequence) where state = 'pending';

-- The delivery log.
create table webhook_attempts (
  company_id bigint not null,
  endpoint_id bigint not null,
  sequence bigint not null,
  attempt integer not null,
  event_id text collate "C" not null,
  event_type text not null,
  attempted_at timestamptz not null,
  -- Null: no response.
  status integer,
  -- Why there was no response, or why the response is a failure. Null: success.
  error text,
  duration_ms integer not null,
  -- The first 1 KiB.
  response_body text not null default '',
  primary key (company_id, endpoint_id, sequence, attempt),
  foreign key (company_id) references companies(id),
  foreign key (company_id, endpoint_id) references webhook_endpoints(company_id, id) on delete cascade
);
create index webhook_attempts_newest_first on webhook_attempts (company_id, endpoint_id, attempted_at desc);

-- == Mail ==

-- Mails that wait to be sent, and which were sent (docs/decisions/0044-mail.md). Written in the transaction of the change that
-- they are about. No operation of the API shows this table, so a change of it alone is not counted in company_versions.
create table mails (
  company_id bigint not null,
  -- Names the occasion, such as invitation/17, without personal data: there is one mail per occasion.
  key text collate "C" not null,
  template text not null,
  language text not null check (language in ('de', 'en')),
  -- Null: erased.
  recipient text,
  -- What the template needs, which may contain a link that gives access. Encrypted and bound to this row (src/encryption.ts).
  -- Null as soon as the mail is not to be sent any more.
  encrypted_values text,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'expired', 'cancelled')),
  attempts integer not null default 0,
  -- When the next attempt is due. While a worker makes one, this is when another worker takes over if it gets no result.
  next_attempt_at timestamptz,
  -- A mail that could not be sent by then is not worth sending any more.
  expires_at timestamptz not null,
  -- The code of the last failure, without the text of the mail server, which may name the address.
  last_error text,
  -- Times are real time, also on a staging environment whose clock was moved.
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (company_id, key),
  constraint mails_check check ((state = 'pending') = (next_attempt_at is not null)),
  constraint mails_check1 check ((state = 'pending') = (encrypted_values is not null)),
  foreign key (company_id) references companies(id)
);
create index mails_pending on mails (company_id, next_attempt_at) where state = 'pending';
create index mails_by_recipient on mails (company_id, recipient) where recipient is not null;

-- == Audit log ==
-- The service may add entries. It removes personal data and old entries by the functions below only (docs/decisions/0023).

-- Returns what an entry is about.
create function audit_subject(action text, target text, detail jsonb)
returns text
language sql
immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select case
    when action ~ '^(employee|subscription|contract)\.' then 'employee/' || target
    when action ~ '^(user|person)\.' then 'user/' || target
    when action ~ '^invitation\.' then 'invitation/' || target
    when action ~ '^document\.' then 'document/' || target
    when action = 'billing.correct' then 'billing-item/' || target
    when detail ? 'employeeId' then 'employee/' || (detail ->> 'employeeId')
  end
$$;

create table audit_log (
  company_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  actor_type text not null check (actor_type in ('key', 'user', 'operator', 'employee', 'service')),
  actor text,
  action text not null,
  target text,
  detail jsonb not null default '{}'::jsonb,
  primary key (company_id, id),
  foreign key (company_id) references companies(id)
);
create index audit_log_by_subject on audit_log (company_id, audit_subject(action, target, detail));
create index audit_log_by_time on audit_log (company_id, at);

create function redact_audit_log(of_company bigint, subjects text[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  kept text[] := '{}';
  present text[];
  gone text[];
  is_owner boolean := pg_has_role(
    (select c.relowner from pg_class c where c.oid = 'public.audit_log'::regclass), 'member');
begin
  select array_agg('employee/' || e.id) into present from public.employees e
  where e.company_id = of_company and e.id = any(array(
    select substr(s, 10)::bigint from unnest(subjects) s where s ~ '^employee/[0-9]{1,18}$'));
  kept := kept || present;

  select array_agg('document/' || d.id) into present from public.documents d
  where d.company_id = of_company and d.id = any(array(
    select substr(s, 10)::bigint from unnest(subjects) s where s ~ '^document/[0-9]{1,18}$'));
  kept := kept || present;

  select array_agg('billing-item/' || b.id) into present from public.billing_items b
  where b.company_id = of_company and b.employee_id is not null and b.id = any(array(
    select substr(s, 14)::bigint from unnest(subjects) s where s ~ '^billing-item/[0-9]{1,18}$'));
  kept := kept || present;

  select array_agg('invitation/' || i.id) into present from public.invitations i
  where i.company_id = of_company and i.email not like '%@removed.invalid' and i.id = any(array(
    select substr(s, 12)::bigint from unnest(subjects) s where s ~ '^invitation/[0-9]{1,18}$'));
  kept := kept || present;

  select array_agg('user/' || u.id) into present from public.portal_users u
  where u.company_id = of_company and u.removed_at is null and u.id = any(array(
    select substr(s, 6) from unnest(subjects) s where s like 'user/%'));
  kept := kept || present;

  gone := array(
    select s from unnest(subjects) s
    where s ~ '^(employee|document|billing-item|user|invitation)/' and s <> all(kept));
  update public.audit_log l
  set detail = case when is_owner and public.audit_subject(l.action, l.target, l.detail) ~ '^(user|invitation)/'
    then l.detail - 'email' else '{}' end
  where l.company_id = of_company and public.audit_subject(l.action, l.target, l.detail) = any(gone);
end
$$;
revoke all on function redact_audit_log from public;

create function expire_audit_log(of_company bigint, older_than timestamptz)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  latest timestamptz := least(older_than,
    now() + make_interval(secs => (select clock_ahead_seconds from public.environment)) - interval '30 days');
  expired bigint;
begin
  delete from public.audit_log l where l.company_id = of_company and l.at < latest;
  get diagnostics expired = row_count;
  return expired;
end
$$;
revoke all on function expire_audit_log from public;
