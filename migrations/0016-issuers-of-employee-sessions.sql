-- The identity provider that opened a session, so that sessions at other companies end when its company replaces it. Null: none did.
alter table employee_sessions add column connection_issuer text;
