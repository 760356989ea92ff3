-- Connectors: integrations that pull rosters from the company's HR system (docs/decisions/0036-connectors.md).

-- How an integration pulls. Deleting a row forgets the credentials; links and syncs stay.
create table hr_connectors (
  company_id bigint not null references companies,
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
  primary key (company_id, hr_integration_id),
  foreign key (company_id, hr_integration_id) references hr_integrations (company_id, id)
);
create index hr_connectors_due on hr_connectors (next_pull_at) where next_pull_at is not null;

-- Attempts to read a complete roster.
create table pulls (
  company_id bigint not null references companies,
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
  primary key (company_id, id),
  foreign key (company_id, hr_integration_id) references hr_integrations (company_id, id),
  check ((kind = 'nightly') = (night is not null))
);
-- However many workers schedule it, each attempt for a night happens once.
create unique index pulls_once_a_night on pulls (company_id, hr_integration_id, night, attempt) where night is not null;
create index pulls_newest_first on pulls (company_id, hr_integration_id, id desc);
create index pulls_to_read on pulls (company_id, hr_integration_id, id) where state in ('waiting', 'reading');
create index pulls_of_sync on pulls (company_id, hr_integration_id, sync_id);
