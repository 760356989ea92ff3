-- The constraint of 0064-any-rest-api.sql, which the service has kept since.
alter table hr_connectors validate constraint hr_connectors_provider_check;
