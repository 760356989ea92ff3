-- The log of requests, some in one row: those of one company that were written together and sent in the same minute. With
-- one row and three index entries per request, PostgreSQL took more time for the log of a request than for a repeated
-- request itself (docs/decisions/0042-request-log.md). No foreign key, as before. The table before was in no release.
-- migrate: unread since 0.2.0
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

drop table api_requests;
