-- Groups that an identity provider sends by SCIM, and their members.
create table scim_groups (
  company_id bigint not null,
  id bigint generated always as identity,
  hr_integration_id bigint not null,
  display_name text not null,
  external_id text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, hr_integration_id) references hr_integrations(company_id, id)
);
create index scim_groups_in_order on scim_groups (company_id, hr_integration_id, id);

create table scim_group_members (
  company_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  primary key (company_id, group_id, user_id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, group_id) references scim_groups(company_id, id) on delete cascade,
  foreign key (company_id, user_id) references scim_users(company_id, id) on delete cascade
);
create index scim_group_members_of_user on scim_group_members (company_id, user_id);
