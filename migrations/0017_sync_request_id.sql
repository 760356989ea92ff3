-- The request that pushed the roster of a sync, so that the log lines of the worker and of the API can be joined. Null for syncs
-- of earlier versions and of the demo company.
alter table syncs add column request_id text;
