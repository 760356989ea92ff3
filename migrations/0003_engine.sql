-- The engine: days lived through, prices, papers (docs/decisions/0010-daily-run.md, 0011-billing.md, 0012-documents.md).

-- How far time travel has moved the clock of a staging environment.
alter table environment add column clock_ahead_seconds bigint not null default 0 check (clock_ahead_seconds >= 0);

-- The last day, in the company's time zone, whose calendar has happened: statuses moved, tickets issued, charges billed.
alter table companies add column lived_through date;
update companies set lived_through = (now() at time zone time_zone)::date;
alter table companies alter column lived_through set not null;

-- Operator's price list. Tickets are priced gross, fees net; a price holds until a newer one.
create table ticket_prices (
  valid_from date primary key check (extract(day from valid_from) = 1),
  list_cents integer not null check (list_cents >= 0),
  tax_percent integer not null check (tax_percent between 0 and 100),
  -- Off the list price, when the company bears at least discount_share_percent of it.
  discount_percent integer not null check (discount_percent between 0 and 100),
  discount_share_percent integer not null check (discount_share_percent between 0 and 100)
);
insert into ticket_prices values ('2023-05-01', 4900, 7, 5, 25), ('2025-01-01', 5800, 7, 5, 25), ('2026-01-01', 6300, 7, 5, 25);

create table fee_prices (
  charge_type text not null check (charge_type in ('service-charge', 'hr-integration-charge',
    'hr-payroll-integration-charge', 'api-charge')),
  valid_from date not null check (extract(day from valid_from) = 1),
  net_cents integer not null check (net_cents >= 0),
  tax_percent integer not null check (tax_percent between 0 and 100),
  primary key (charge_type, valid_from)
);
insert into fee_prices values ('service-charge', '2023-05-01', 150, 19), ('hr-integration-charge', '2023-05-01', 100, 19),
  ('hr-payroll-integration-charge', '2023-05-01', 0, 19), ('api-charge', '2023-05-01', 0, 19);

-- The next day on which the daily run has to look at this person; null: nothing is known to come. Whoever was written by
-- hand is looked at by the next run.
alter table employees add column due_on date default '-infinity';
create index employees_removed on employees (company_id, removed_at) where removed_at is not null;

-- What the ticket costs whom follows from the plan on the day it was issued.
alter table tickets
  add column plan_type text check (plan_type in ('fully-subsidized-plan', 'deferred-plan', 'split-pay-plan')),
  add column contribution_cents integer check (contribution_cents >= 0);
update tickets t set plan_type = e.plan_type, contribution_cents = e.contribution_cents
  from employees e where e.company_id = t.company_id and e.id = t.employee_id;
alter table tickets alter column plan_type set not null;
create index tickets_by_month on tickets (company_id, month, employee_id);

-- A document the service writes. What it is about names it, and its edition where it may be written anew, so that none is
-- written twice; its content waits here until the file is stored.
alter table documents
  add column kind text check (kind in ('subscription-confirmation', 'contribution-agreement', 'ticket-confirmation',
    'cancellation-confirmation')),
  add column about date,
  add column edition text,
  add column content jsonb,
  add check ((kind is null) = (about is null) and (kind is null) = (edition is null)),
  add check (kind is null or employee_id is not null),
  add check (content is null or (kind is not null and sha256 is null));
create unique index documents_once on documents (company_id, employee_id, kind, about, edition) where kind is not null;
create index documents_to_render on documents (company_id, id) where content is not null;

-- Who brought a change about, and which sync.
alter table subscription_changes
  add column actor_type text not null default 'service' check (actor_type in ('key', 'person', 'operator', 'service')),
  add column actor text,
  add column sync_key bigint;

-- A correction says why.
alter table billing_items
  add column reason text,
  add check ((reason is null) = (corrects_id is null));

-- Whoever is erased must be found by their charges and documents, hidden ones included.
create index billing_items_of_employee on billing_items (company_id, employee_id) where employee_id is not null;
drop index documents_of_employee;
create index documents_of_employee on documents (company_id, employee_id, id);
