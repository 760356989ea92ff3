alter table api_keys drop constraint api_keys_permissions_check;
alter table api_keys add constraint api_keys_permissions_check check (permissions <@ array['view-employees',
  'view-hr-integrations', 'view-billing', 'add-employees', 'update-employees', 'remove-employees',
  'manage-subscriptions', 'manage-billing']) not valid;

-- Charges for tickets of months for which a termination or an absence became known too late. Somebody reverses each (then a
-- billing item corrects it) or keeps it, because the ticket was used.
create table correction_proposals (
  company_id bigint not null,
  item_id bigint not null,
  employee_id bigint not null,
  cause text not null check (cause in ('termination', 'absence')),
  proposed_at timestamptz not null,
  kept_at timestamptz,
  primary key (company_id, item_id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, item_id) references billing_items(company_id, id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index correction_proposals_by_employee on correction_proposals (company_id, employee_id);
create index correction_proposals_open on correction_proposals (company_id, item_id) where kept_at is null;
