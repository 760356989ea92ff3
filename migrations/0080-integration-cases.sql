-- Requests and responses of an integration with pseudonyms, saved on request (docs/decisions/0103-cases-of-integrations.md).
create table integration_cases (
  company_id bigint not null,
  id bigint generated always as identity,
  hr_integration_id bigint not null,
  kind text not null,
  requested_by text not null,
  requested_at timestamptz not null,
  -- Until when it waits for a run, or records requests of SCIM, by real time.
  ends_at timestamptz not null,
  erased_at timestamptz not null,
  -- On what the pseudonyms of a case of SCIM depend: every process that serves requests needs the same ones. In no file.
  pseudonym_key bytea,
  exchanges integer not null default 0,
  -- The case of a pull, compressed. Null: there was none yet.
  content bytea,
  primary key (company_id, id),
  constraint integration_cases_kind check (kind in ('pull', 'scim')),
  foreign key (company_id) references companies(id),
  foreign key (company_id, hr_integration_id) references hr_integrations(company_id, id)
);
create index integration_cases_of_integration on integration_cases (company_id, hr_integration_id, ends_at);

-- The requests of a case of SCIM, compressed, in the order in which they were answered.
create table integration_case_exchanges (
  company_id bigint not null,
  case_id bigint not null,
  number integer not null,
  content bytea not null,
  primary key (company_id, case_id, number),
  foreign key (company_id) references companies(id),
  foreign key (company_id, case_id) references integration_cases(company_id, id) on delete cascade
);
