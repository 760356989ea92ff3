-- Why a sync or a pull failed, as key and values, for rendering in the language of the reader. Null: stored by an
-- earlier release, or no failure.

alter table syncs add column message jsonb;
alter table pulls add column message jsonb;
alter table hr_connectors add column failure_message jsonb;
