-- The language of the portal that a user has chosen. Null: none, so the browser's language counts.

alter table portal_users add column language text;
