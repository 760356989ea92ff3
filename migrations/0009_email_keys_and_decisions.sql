-- Email addresses are compared in Unicode normal form C with folded case (emailKey in src/domain/search.ts). Keys are in lower
-- case already, so the locale of the database decides nothing here either; ASCII keys stay as they are.
create temporary table email_keys on commit drop as
select k.company_id, k.id, k.removed_at is not null as is_removed, k.new_key,
  row_number() over (partition by k.company_id, k.new_key, k.removed_at is not null order by k.id) as rank
from (
  select e.company_id, e.id, e.email_key, e.removed_at, normalize(translate(normalize(e.email_key, NFC),
    E'µſ\u0345ςϐϑϕϖϰϱϵᲀᲁᲂᲃᲄᲅᲆᲇᲈẛ', 'μsισβθφπκρεвдосттъѣꙋṡ'), NFC) as new_key
  from employees e where octet_length(e.email_key) <> char_length(e.email_key)
) k
where k.new_key <> k.email_key;
analyze email_keys;
-- Without statistics of a table that was filled just now, PostgreSQL compares all with all.
analyze employees (company_id, id, email_key);

update employees e set email_key = k.new_key
from email_keys k where e.company_id = k.company_id and e.id = k.id and k.is_removed;

-- Of several visible employees with one address, nobody is merged: whoever has the new key already, or else the oldest, gets
-- it. The others keep their old keys, and the audit log names them.
update employees e set email_key = k.new_key
from email_keys k where e.company_id = k.company_id and e.id = k.id and not k.is_removed and k.rank = 1
  and not exists (select from employees o where o.company_id = k.company_id and o.removed_at is null
    and o.email_key = k.new_key);

insert into audit_log (company_id, actor_type, action, target, detail)
select k.company_id, 'service', 'employee.email-clash', k.id::text, jsonb_build_object('holderId', o.id)
from email_keys k
join employees e on e.company_id = k.company_id and e.id = k.id and e.email_key <> k.new_key
join employees o on o.company_id = k.company_id and o.removed_at is null and o.email_key = k.new_key
where not k.is_removed order by k.company_id, k.id;

drop table email_keys;

-- Who decided about removals that a sync held back, and when. Null: nobody has, or it was an older version that did not keep it.
alter table syncs add column decided_by text;
alter table syncs add column decided_by_person text;
alter table syncs add column decided_at timestamptz;

-- The audit log has kept it all along.
update syncs s set decided_at = a.at, decided_by_person = case when a.actor_type = 'person' then a.actor end,
  decided_by = coalesce(case when a.actor_type = 'person' then p.name else a.actor end, a.actor_type)
from audit_log a left join portal_users p on a.actor_type = 'person' and p.company_id = a.company_id and p.id = a.actor
where a.company_id = s.company_id and a.target = s.hr_integration_id || '/' || s.sync_id
  and a.action = case s.held_state when 'approved' then 'sync.approve-removals'
    when 'rejected' then 'sync.reject-removals' end;

-- A sync whose removals are decided and of which nothing failed is no failure.
update hr_integrations i set last_sync_status = 'succeeded'
from syncs s where s.company_id = i.company_id and s.hr_integration_id = i.id and s.sync_id = i.last_sync_id
  and s.held_state in ('approved', 'rejected') and s.failed_count = 0 and i.last_sync_status = 'partially-failed';
update syncs s set state = 'succeeded'
where s.held_state in ('approved', 'rejected') and s.failed_count = 0 and s.state = 'partially-failed';
