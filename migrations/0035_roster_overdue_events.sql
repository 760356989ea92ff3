-- The check was added by the migration before this one, without reading the table.
alter table events validate constraint events_type_check;
