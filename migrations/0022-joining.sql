-- How employees get their subscription: by the roster's custom field, by joining themselves, or by both.
alter table companies add column joining text not null default 'roster';
alter table companies add constraint companies_joining check (joining in ('roster', 'employee', 'both')) not valid;

-- Whether whoever is in a roster without a subscription is invited to join.
alter table companies add column invite_automatically boolean not null default false;
