-- Single sign-on of a company by OpenID Connect (docs/decisions/0051-single-sign-on.md).
create table sso_connections (
  company_id bigint primary key references companies,
  issuer text not null check (issuer <> ''),
  client_id text not null check (client_id <> ''),
  -- Encrypted and bound to this row (src/encryption.ts).
  encrypted_client_secret text not null,
  -- The roles of users whose groups give them no role. Empty: these users are refused.
  default_roles text[] not null check (default_roles <@ array['admin', 'hr', 'payroll', 'developer', 'viewer']),
  -- The claim of the ID token that lists groups, and the roles of each group: [{"group": "…", "roles": ["hr"]}].
  groups_claim text not null default 'groups',
  group_roles jsonb not null default '[]',
  -- True: only the user below signs in with a password.
  is_enforced boolean not null default false,
  break_glass_user_id text,
  updated_at timestamptz not null default now(),
  check (not is_enforced or break_glass_user_id is not null)
);

-- Domains of the addresses of a company. Looked up before the company is known, so this is no company's table. A domain without a
-- proof belongs to nobody: several companies may claim it.
create table sso_domains (
  domain text not null check (domain <> ''),
  company_id bigint not null,
  -- What the TXT record of the domain must contain.
  token text not null,
  proven_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (domain, company_id)
);
create unique index sso_domains_proven on sso_domains (domain) where proven_at is not null;
create index sso_domains_of_company on sso_domains (company_id);
