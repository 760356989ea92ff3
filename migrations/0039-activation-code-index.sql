-- migrate: no transaction
-- An activation code belongs to one employee.
create index concurrently if not exists ticket_orders_by_activation_code on ticket_orders (company_id, activation_code)
  where activation_code is not null;
