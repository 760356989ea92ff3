-- A text that was encrypted with SECRET at the first start. A process that cannot decrypt it has another SECRET, and refuses
-- to start (docs/decisions/0034-stored-secrets.md).
alter table environment add column secret_check text;
