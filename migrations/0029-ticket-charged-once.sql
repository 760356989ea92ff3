-- migrate: no transaction
-- A ticket is charged once, in whatever period.
create unique index concurrently if not exists billing_items_ticket_charged_once on billing_items
  (company_id, employee_id, coalesce(ticket_month, period))
  where charge_type = 'ticket-charge' and corrects_id is null;
