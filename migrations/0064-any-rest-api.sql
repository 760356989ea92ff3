-- The connector for any REST API.
alter table hr_connectors drop constraint hr_connectors_provider_check;
alter table hr_connectors add constraint hr_connectors_provider_check check (provider in ('personio', 'hibob', 'bamboohr',
  'sftp-csv', 'http-json')) not valid;
