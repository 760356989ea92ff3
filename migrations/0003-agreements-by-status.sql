-- migrate: no transaction
-- Counts the agreements of a company without reading its employees.
create index concurrently if not exists employees_by_contract on employees (company_id, contract_status, subscription_status, id)
  where removed_at is null and contract_status is not null;
