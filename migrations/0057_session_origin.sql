-- How a session was opened, and the membership whose passkey it is after a removal (docs/decisions/0059-sessions-and-their-origin.md).
-- Null: opened by a release that did not record it.
alter table portal_sessions add column method text;
-- The company whose identity provider opened the session. It opens no other company. Null: no identity provider did.
alter table portal_sessions add column connection_company_id bigint;
-- Under which name authenticators have stored the user. Null: under the id of the user.
alter table portal_passkeys add column user_handle text;
