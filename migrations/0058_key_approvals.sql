-- The permissions that a key gets once an admin approves them, all of them together (docs/decisions/0060-nobody-grants-more-than-they-have.md).
-- Null: nothing waits.
alter table api_keys add column requested_permissions text[];
