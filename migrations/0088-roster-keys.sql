-- The keys of the entries of a part, by which unchanged entries are found without reading them. Null: stored by a release
-- that did not write them.
alter table sync_rosters add column keys bytea;
