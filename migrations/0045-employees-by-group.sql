-- migrate: no transaction
-- Lists and assigns employees by their group in the roster.
create index concurrently if not exists employees_by_group on employees (company_id, roster_group)
  where roster_group is not null;
