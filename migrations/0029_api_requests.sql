-- The log of requests that were made with API keys, and the usage of each key (docs/decisions/0042-request-log.md). No
-- operation of the API shows these tables, so a change of them alone is not counted in company_versions (src/db/write.ts).
create table api_requests (
  company_id bigint not null references companies,
  -- The id in the header X-Request-Id of the response.
  id uuid not null,
  at timestamptz not null,
  key_id text collate "C" not null,
  method text not null,
  -- The route with its ids. Values that may be personal are left out (src/api-requests/describe-path.ts).
  path text not null,
  status integer not null,
  duration_us integer not null,
  -- The code of the problem. Null: the response is no problem.
  problem text,
  primary key (company_id, id)
);
create index api_requests_newest_first on api_requests (company_id, at desc, id desc);
create index api_requests_of_key on api_requests (company_id, key_id, at desc, id desc);

-- How many requests each key has made in each hour.
create table api_key_usage (
  company_id bigint not null references companies,
  key_id text collate "C" not null,
  hour timestamptz not null,
  requests integer not null,
  client_errors integer not null,
  server_errors integer not null,
  -- The address of the last request of which it is known.
  last_address text,
  primary key (company_id, key_id, hour)
);
