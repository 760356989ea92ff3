-- How consent was given, for decisions about many contracts (docs/decisions/0066-consent.md). Null: only that it was recorded is known.
alter table contract_batches add column consent_given text;
alter table contract_batches add column consent_on date;
-- The name of the user who recorded it.
alter table contract_batches add column recorded_by text;

-- Employees act too: they sign by their link.
alter table subscription_changes drop constraint subscription_changes_actor_type_check;
alter table subscription_changes add constraint subscription_changes_actor_type_check
  check (actor_type in ('key', 'user', 'operator', 'employee', 'service')) not valid;
alter table audit_log drop constraint audit_log_actor_type_check;
alter table audit_log add constraint audit_log_actor_type_check
  check (actor_type in ('key', 'user', 'operator', 'employee', 'service')) not valid;

-- The name of the file that was uploaded. Null: the roster was not uploaded.
alter table syncs add column file_name text;
-- HR ids and email addresses of the rows that a user left out of an upload. Their employees stay. Null once applied.
alter table syncs add column left_out jsonb;
-- A deleted integration stays hidden, because syncs and charges refer to it.
alter table hr_integrations add column deleted_at timestamptz;
