-- Who pays what for the tickets of whom (docs/decisions/0089-benefit-policies.md). A company without versions of its default policy
-- has the plan of its settings, as before.
create table policies (
  company_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  is_default boolean not null default false,
  -- The order in which groups are compared.
  position integer not null default 0,
  -- The groups of the roster to which it applies.
  groups text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  constraint policies_name check (length(name) between 1 and 100),
  foreign key (company_id) references companies(id)
);
create unique index policies_one_default on policies (company_id) where is_default;
create unique index policies_by_name on policies (company_id, lower(name));

-- What a policy says from the first of a month on.
create table policy_versions (
  company_id bigint not null,
  policy_id bigint not null,
  from_on date not null,
  plan_type text not null,
  -- Split pay: what the employee pays, or what the employer pays: an amount, or a percentage within bounds.
  employee_cents integer,
  employer_cents integer,
  employer_percent integer,
  minimum_cents integer,
  maximum_cents integer,
  -- Months after the first day of employment in which there is no ticket.
  waiting_months integer not null default 0,
  -- Null: as in the settings of the company.
  tax_treatment text,
  primary key (company_id, policy_id, from_on),
  constraint policy_versions_month check (extract(day from from_on) = 1),
  constraint policy_versions_plan check (plan_type in ('fully-subsidized-plan', 'deferred-plan', 'split-pay-plan')),
  constraint policy_versions_split check ((plan_type = 'split-pay-plan')
    = (num_nonnulls(employee_cents, employer_cents, employer_percent) = 1)),
  constraint policy_versions_amounts check (employee_cents >= 0 and employer_cents >= 0 and minimum_cents >= 0
    and maximum_cents >= 0),
  constraint policy_versions_percent check (employer_percent between 0 and 100),
  constraint policy_versions_bounds check (employer_percent is not null or (minimum_cents is null and maximum_cents is null)),
  constraint policy_versions_waiting check (waiting_months between 0 and 24),
  constraint policy_versions_tax check (tax_treatment in ('tax-free', 'flat-tax')),
  foreign key (company_id) references companies(id),
  foreign key (company_id, policy_id) references policies(company_id, id)
);

-- The default policy of every company. One that the previous release creates meanwhile gets its policy when it first needs it.
insert into policies (company_id, name, is_default) select c.id, 'Standard', true from companies c;

-- A change of the plans of running subscriptions. One per policy and month.
create table plan_changes (
  company_id bigint not null,
  id bigint generated always as identity,
  policy_id bigint not null,
  from_on date not null,
  -- The last day on which employees can agree. Null: nobody has to.
  deadline_on date,
  -- What happens to those who have not agreed by then.
  no_answer text not null,
  created_at timestamptz not null default now(),
  -- When the rule for those who have not agreed was applied, and when the change was over.
  settled_at timestamptz,
  finished_at timestamptz,
  primary key (company_id, id),
  unique (company_id, policy_id, from_on),
  constraint plan_changes_no_answer check (no_answer in ('keep', 'pause', 'cancel')),
  constraint plan_changes_deadline check (deadline_on < from_on),
  foreign key (company_id) references companies(id),
  foreign key (company_id, policy_id) references policies(company_id, id)
);

create table plan_change_items (
  company_id bigint not null,
  change_id bigint not null,
  employee_id bigint not null,
  old_plan_type text not null,
  old_contribution_cents integer,
  new_plan_type text not null,
  new_contribution_cents integer,
  -- What the employee pays per month, before and after.
  old_share_cents integer not null,
  new_share_cents integer not null,
  needs_agreement boolean not null,
  -- What became of it. Null: still to come.
  outcome text,
  reminders integer not null default 0,
  reminded_on date,
  primary key (company_id, change_id, employee_id),
  constraint plan_change_items_outcome check (outcome in ('changed', 'kept', 'paused', 'cancelled', 'ended')),
  foreign key (company_id) references companies(id),
  foreign key (company_id, change_id) references plan_changes(company_id, id),
  foreign key (company_id, employee_id) references employees(company_id, id) on delete cascade
);
create index plan_change_items_of_employee on plan_change_items (company_id, employee_id);

-- The group in the roster, the policy that somebody has assigned by hand, and the plan that is to apply to the subscription
-- (src/domain/subscription/plan-change.ts).
alter table employees add column roster_group text;
alter table employees add column policy_id bigint;
alter table employees add column plan_change jsonb;
alter table employees add constraint employees_policy foreign key (company_id, policy_id)
  references policies(company_id, id) not valid;
