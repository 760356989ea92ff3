-- migrate: no transaction
-- Unlike employees_by_next_ticket, it has everybody, so that a list in this order is read from it.
create index concurrently if not exists employees_in_order_of_tickets
  on employees (company_id, next_ticket_on, id) where removed_at is null;
