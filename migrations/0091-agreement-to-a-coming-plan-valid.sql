-- The constraint of 0090-agreement-to-a-coming-plan.sql, which the service has kept since.
alter table employees validate constraint employees_agreement_needed;
