-- Sentences as key and values, for rendering in the language of the reader. Null: stored by an earlier release.

alter table subscription_changes add column message jsonb;
alter table sync_records add column message jsonb;
