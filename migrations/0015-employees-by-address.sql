-- migrate: no transaction
-- Finds the employees of all companies with an address, when somebody asks for a link to the employee's page.
create index concurrently if not exists employees_by_address on employees (email_key) where removed_at is null;
