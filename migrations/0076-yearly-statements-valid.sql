-- The constraint of 0075-yearly-statements.sql, which the service has kept since.
alter table documents validate constraint documents_kind_check;
