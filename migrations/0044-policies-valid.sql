-- The constraint of 0043-policies.sql, which the service has kept since.
alter table employees validate constraint employees_policy;
