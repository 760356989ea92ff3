-- One account per address (docs/decisions/0048-accounts-and-memberships.md). A row of portal_users is a membership in a company. Those
-- with a proof of the address form the account of that address; one without is local to its company. No existing row has a proof.
alter table portal_users add column address_proven_at timestamptz;

-- True: the link was mailed to the address and shown to nobody, so the user who opens it owns the address.
alter table invitations add column is_mailed boolean not null default false;
