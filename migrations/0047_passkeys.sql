-- Passkeys (docs/decisions/0052-passkeys.md). Like portal_second_factors, this table belongs to accounts.
create table portal_passkeys (
  id text primary key,
  user_id text not null references portal_users on delete cascade,
  company_id bigint not null,
  -- The name that the user gave it.
  name text not null,
  -- The id that the authenticator gave it, in base64url.
  credential_id text not null unique,
  -- A COSE key in base64url. It is public: it verifies signatures and creates none.
  public_key text not null,
  -- How often the key was used, as the authenticator counts. Authenticators that synchronise keys count nothing: 0.
  counter bigint not null default 0,
  -- How a browser reaches the authenticator, such as usb or internal.
  transports text[] not null default '{}',
  -- Whether the authenticator copies the key to other devices of the user.
  is_synced boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index portal_passkeys_of_user on portal_passkeys (user_id);
