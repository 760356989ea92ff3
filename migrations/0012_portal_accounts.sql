-- Portal accounts are unique per company and address (docs/decisions/0022-portal-accounts.md): nobody can take an address away
-- from another company. A process of the version before cannot create accounts beside this schema (it answers with an error
-- and changes nothing); everything else it does works on.
create unique index portal_users_of_address on portal_users (company_id, email);
create index portal_users_by_email on portal_users (email);
alter table portal_users drop constraint portal_users_email_key;

-- The portal user who created the key, and the one to whom its current password was shown; null: the operator.
alter table api_keys add column created_by text;
alter table api_keys add column secret_shown_to text;
create index api_keys_of_creator on api_keys (company_id, created_by) where created_by is not null;

update api_keys k
set created_by = l.actor, secret_shown_to = l.actor
from audit_log l
where l.company_id = k.company_id and l.action = 'key.create' and l.actor_type = 'person'
  and l.target = 'tk_' || k.company_id || '_' || k.id;

update api_keys k
set secret_shown_to = l.actor
from (
  select distinct on (company_id, target) company_id, target, case when actor_type = 'person' then actor end as actor
  from audit_log
  where action = 'key.rotate'
  order by company_id, target, id desc
) l
where l.company_id = k.company_id and l.target = 'tk_' || k.company_id || '_' || k.id;

create index invitations_of_inviter on invitations (company_id, invited_by) where accepted_at is null and revoked_at is null;
