-- migrate: no transaction
-- The order of names in the portal, in which an umlaut stands beside its letter (src/employees/queries.ts).
create index concurrently if not exists employees_by_name
  on employees (company_id, ((last_name || ', ' || first_name) collate "und-x-icu"), id) where removed_at is null;
