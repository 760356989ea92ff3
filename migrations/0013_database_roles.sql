-- The service runs as a role that cannot rewrite its audit log (docs/decisions/0023-database-roles.md). What must change in
-- the log nevertheless goes through two functions of the owner, which check that it is due.

-- How long entries of the audit log are kept; no setting makes it less than a month.
alter table companies add column audit_retention_days integer not null default 730 check (audit_retention_days >= 30);

-- Whom or what an entry is about, by the name of its action.
create function audit_subject(action text, target text, detail jsonb) returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select case
    when action ~ '^(employee|subscription|contract)\.' then 'employee/' || target
    when action ~ '^(user|person)\.' then 'user/' || target
    when action ~ '^invitation\.' then 'invitation/' || target
    when action ~ '^document\.' then 'document/' || target
    when action = 'billing.correct' then 'billing-item/' || target
    when detail ? 'employeeId' then 'employee/' || (detail ->> 'employeeId')
  end
$$;
create index audit_log_by_subject on audit_log (company_id, audit_subject(action, target, detail));
create index audit_log_by_time on audit_log (company_id, at);

-- Removes what is personal from entries about people who are erased or removed, and about invitations without an address.
-- Of people who still are there nothing can be removed.
create function redact_audit_log(of_company bigint, subjects text[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update public.audit_log l set detail = case when s.kind in ('user', 'invitation') then l.detail - 'email' else '{}' end
  from (
    select subject, split_part(subject, '/', 1) as kind, split_part(subject, '/', 2) as id from unnest(subjects) subject
  ) s
  where l.company_id = of_company and public.audit_subject(l.action, l.target, l.detail) = s.subject
    and case s.kind
      when 'employee' then not exists (
        select from public.employees e where e.company_id = of_company and e.id::text = s.id)
      when 'document' then not exists (
        select from public.documents d where d.company_id = of_company and d.id::text = s.id)
      when 'billing-item' then not exists (
        select from public.billing_items b where b.company_id = of_company and b.id::text = s.id
          and b.employee_id is not null)
      when 'user' then not exists (
        select from public.portal_users u where u.company_id = of_company and u.id = s.id and u.removed_at is null)
      when 'invitation' then not exists (
        select from public.invitations i where i.company_id = of_company and i.id::text = s.id
          and i.email not like '%@removed.invalid')
      else false
    end
$$;
revoke all on function redact_audit_log from public;

-- Deletes entries that are older than a moment, and of those only the ones that nobody may shorten the time of.
create function expire_audit_log(of_company bigint, older_than timestamptz) returns bigint
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with expired as (
    delete from public.audit_log l
    where l.company_id = of_company and l.at < least(older_than,
      now() + make_interval(secs => (select clock_ahead_seconds from public.environment)) - interval '30 days')
    returning 1
  )
  select count(*) from expired
$$;
revoke all on function expire_audit_log from public;

-- What earlier versions left of people who are gone by now.
update audit_log l set detail = '{}'
  where l.action ~ '^(employee|subscription)\.' and l.detail <> '{}'
    and not exists (select from employees e where e.company_id = l.company_id and e.id::text = l.target);
update audit_log l set detail = '{}'
  where l.action like 'document.%' and l.detail <> '{}'
    and not exists (select from documents d where d.company_id = l.company_id and d.id::text = l.target);
update audit_log l set detail = l.detail - 'email'
  where l.action like 'person.%' and l.detail ? 'email'
    and not exists (select from portal_users u
      where u.company_id = l.company_id and u.id = l.target and u.removed_at is null);
