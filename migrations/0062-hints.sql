-- How often an integration pulls, counted from its nightly time.
alter table hr_connectors add column pull_every text not null default 'nightly';
alter table hr_connectors add constraint hr_connectors_pull_every_check check (pull_every in ('hourly', 'every-three-hours',
  'nightly')) not valid;
-- Where the HR system reports that something has changed, which makes a pull due. Null: it cannot.
alter table hr_connectors add column hint_token_hash bytea;
-- With what the HR system signs hints, encrypted and bound to this row. Null: it signs none.
alter table hr_connectors add column encrypted_hint_secret text;
-- When the newest hint was verified, to the minute.
alter table hr_connectors add column hinted_at timestamptz;
