-- migrate: no transaction
-- employees_in_order_of_tickets begins with the same columns and contains these rows. Each change of a subscription wrote both.
drop index concurrently if exists employees_by_next_ticket;
