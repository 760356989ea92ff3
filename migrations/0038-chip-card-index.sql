-- migrate: no transaction
-- A chip card belongs to one employee.
create index concurrently if not exists ticket_orders_by_chip_card on ticket_orders (company_id, chip_card_number)
  where chip_card_number is not null;
