-- migrate: no transaction
-- Late tickets, which a payroll export of their period may lack. There are few.
create index concurrently if not exists billing_items_late on billing_items (company_id, id)
  where ticket_month is not null;
