-- What all processes together have counted within the current window of each rate limit. Names are hashed, because some of
-- them are addresses of clients. A crash of the database forgets the counts, which then begin anew.
create unlogged table rate_limit_windows (
  name_hash bytea primary key check (octet_length(name_hash) = 32),
  hits integer not null,
  ends_at timestamptz not null
);
