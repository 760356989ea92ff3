-- Outgoing webhooks: where a company wants its events to be sent, what waits to be sent, and the log of all attempts
-- (docs/decisions/0038-webhooks.md). No operation of the API shows these tables, so a change of them alone is not counted in
-- company_versions (src/db/write.ts).
create table webhook_endpoints (
  company_id bigint not null references companies,
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
  check ((state = 'disabled') = (disabled_reason is not null))
);

-- One per event and endpoint. Times are real time, also on a staging environment whose clock was moved.
create table webhook_deliveries (
  company_id bigint not null references companies,
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
  foreign key (company_id, endpoint_id) references webhook_endpoints (company_id, id) on delete cascade,
  check ((state = 'pending') = (next_attempt_at is not null))
);
create index webhook_deliveries_pending on webhook_deliveries (company_id, endpoint_id, next_attempt_at, sequence)
  where state = 'pending';

-- The delivery log.
create table webhook_attempts (
  company_id bigint not null references companies,
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
  foreign key (company_id, endpoint_id) references webhook_endpoints (company_id, id) on delete cascade
);
create index webhook_attempts_newest_first on webhook_attempts (company_id, endpoint_id, attempted_at desc);
