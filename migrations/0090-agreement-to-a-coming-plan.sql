-- Who has a plan without an agreement is asked for one before the coming plan begins: an agreement may exist then, too.
alter table employees drop constraint employees_check1;
alter table employees add constraint employees_agreement_needed
  check (plan_type <> 'fully-subsidized-plan' or contract_status is null or plan_change is not null) not valid;
