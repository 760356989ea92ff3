-- migrate: no transaction
create index concurrently if not exists employees_by_start on employees (company_id, start_on, id) where removed_at is null;
