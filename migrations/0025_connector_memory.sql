-- What a connector must remember between two pulls, such as the size of the file that it read last. No personal data.
alter table hr_connectors add column memory jsonb;
