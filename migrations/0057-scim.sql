-- SCIM provisioning (docs/decisions/0093-scim-enters-the-roster-engine.md): the token of an integration, and the changes that wait.
create table scim_connections (
  company_id bigint not null,
  hr_integration_id bigint not null,
  -- Null: revoked.
  token_hash bytea,
  token_created_at timestamptz,
  last_used_at timestamptz,
  -- The attribute with the HR id of an employee.
  hr_id_attribute text not null default 'employeeNumber',
  -- Changes that no sync contains yet, and when they are made one, by real time.
  changes integer not null default 0,
  collect_at timestamptz,
  primary key (company_id, hr_integration_id),
  constraint scim_connections_hash check (length(token_hash) = 32),
  constraint scim_connections_hr_id check (hr_id_attribute in ('employeeNumber', 'externalId')),
  foreign key (company_id) references companies(id),
  foreign key (company_id, hr_integration_id) references hr_integrations(company_id, id)
);
create index scim_connections_due on scim_connections (company_id, collect_at) where collect_at is not null;

-- The users of an identity provider. Those who are active are the complete roster of the integration.
create table scim_users (
  company_id bigint not null,
  id bigint generated always as identity,
  hr_integration_id bigint not null,
  user_name text not null,
  -- As it is compared: without case and Unicode normal form.
  user_name_key text not null,
  external_id text,
  employee_number text,
  active boolean not null,
  -- Null if the user has none, which only an inactive one may.
  hr_id text,
  email_key text,
  -- Name, addresses and the attributes of our own extension, as far as the roster needs them.
  attributes jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the user became inactive or was deleted. Null: active.
  left_at timestamptz,
  -- Deleted by the provider. Kept until the employee is removed.
  deleted_at timestamptz,
  -- Somebody has rejected the removal of the employee.
  removal_rejected boolean not null default false,
  primary key (company_id, id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, hr_integration_id) references hr_integrations(company_id, id)
);
create unique index scim_users_by_user_name on scim_users (company_id, hr_integration_id, user_name_key)
  where deleted_at is null;
create unique index scim_users_by_hr_id on scim_users (company_id, hr_integration_id, hr_id) where left_at is null;
create unique index scim_users_by_email on scim_users (company_id, hr_integration_id, email_key) where left_at is null;
create index scim_users_of_hr_id on scim_users (company_id, hr_integration_id, hr_id);
create index scim_users_by_external_id on scim_users (company_id, hr_integration_id, external_id, id)
  where deleted_at is null;
create index scim_users_in_order on scim_users (company_id, hr_integration_id, id) where deleted_at is null;
