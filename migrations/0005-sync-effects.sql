-- What a sync means: which subscriptions begin, end, resume and pause, and what that costs per month. Null: it has not been
-- applied, or by an earlier release.
alter table syncs add column effects jsonb;
