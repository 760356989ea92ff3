-- What belongs to a closed month stays as it is (docs/decisions/0020-closed-months.md).

-- A correction belongs to the period of the day on which it is made, and names the period of the item that it corrects.
-- Null beside corrects_id: the correction is in the period of its item, as all were before this migration.
alter table billing_items add column corrects_period date;

-- What a company used, as it was when the period was billed for the first time. Every later run bills by it. A period that
-- has no row here was not billed yet.
create table billing_quantities (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  period date not null check (extract(day from period) = 1),
  charge_type text not null check (charge_type in ('service-charge', 'hr-integration-charge',
    'hr-payroll-integration-charge', 'api-charge')),
  hr_integration_id bigint,
  quantity bigint not null check (quantity >= 0),
  primary key (company_id, id),
  foreign key (company_id, hr_integration_id) references hr_integrations (company_id, id)
);
create unique index billing_quantities_once on billing_quantities (company_id, period, charge_type, hr_integration_id)
  nulls not distinct;

-- The daily run has billed every first of a month after the company joined, also where that made no item. Fees of those
-- months are billed already or were not due, so that one row, which marks the period as billed, is enough.
insert into billing_quantities (company_id, period, charge_type, quantity)
select c.id, m.month::date, 'service-charge', (
  select count(*) from tickets t where t.company_id = c.id and t.month = m.month::date)
from companies c cross join lateral generate_series(
  date_trunc('month', c.created_at at time zone c.time_zone) + interval '1 month', c.lived_through::timestamp,
  interval '1 month') as m(month);

-- A payroll file that was exported: which items it has and what it says of their employees. Names and amounts are those
-- of the items, which never change; names are gone once the employee is erased.
create table payroll_exports (
  company_id bigint not null references companies,
  period date not null check (extract(day from period) = 1),
  exported_at timestamptz not null,
  primary key (company_id, period)
);
create table payroll_lines (
  company_id bigint not null references companies,
  period date not null,
  item_id bigint not null,
  hr_id text not null,
  -- False: the employee was removed when the file was made, so the line says no name.
  is_named boolean not null,
  primary key (company_id, period, item_id),
  foreign key (company_id, period) references payroll_exports (company_id, period),
  foreign key (company_id, item_id) references billing_items (company_id, id)
);
-- An item is in one file.
create unique index payroll_lines_once on payroll_lines (company_id, item_id);
