-- migrate: no transaction
-- A period may have two tickets of an employee: its own, and one of an earlier month that came late.
drop index concurrently if exists billing_items_ticket_once;
