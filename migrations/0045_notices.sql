-- The notices by mail that a user has switched off (src/domain/notices.ts). Null: none, so all are on.
alter table portal_users add column switched_off_notices text[];
