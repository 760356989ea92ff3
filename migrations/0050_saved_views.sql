-- The views of lists that a user has saved: by the name of the list, then by the name of the view. Null: none.
alter table portal_users add column saved_views jsonb;
