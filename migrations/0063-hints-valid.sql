-- The constraint of 0062-hints.sql, which the service has kept since.
alter table hr_connectors validate constraint hr_connectors_pull_every_check;
