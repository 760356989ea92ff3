-- The token before the current one, which works a while longer. Null: there is none.
alter table scim_connections add column previous_token_hash bytea;
alter table scim_connections add column previous_token_until timestamptz;
