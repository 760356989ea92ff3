-- When the last API key that may push rosters to the integration expires, or has ended. Null: never, or no key has pushed
-- its last roster.
alter table hr_integrations add column push_ends_at timestamptz;
