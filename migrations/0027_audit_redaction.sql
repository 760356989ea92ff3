-- On a Citus cluster, the function runs with the privileges of the service (docs/decisions/0027-citus.md). These allow it to
-- remove the whole detail of an entry, and not to change it. Everywhere else, what the function does is the same as before.

create or replace function redact_audit_log(of_company bigint, subjects text[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kept text[] := '{}';
  present text[];
  gone text[];
  is_owner boolean := pg_has_role(
    (select c.relowner from pg_class c where c.oid = 'public.audit_log'::regclass), 'member');
begin
  select array_agg('employee/' || e.id) into present from public.employees e
  where e.company_id = of_company and e.id = any(array(
    select substr(s, 10)::bigint from unnest(subjects) s where s ~ '^employee/[0-9]{1,18}$'));
  kept := kept || present;

  select array_agg('document/' || d.id) into present from public.documents d
  where d.company_id = of_company and d.id = any(array(
    select substr(s, 10)::bigint from unnest(subjects) s where s ~ '^document/[0-9]{1,18}$'));
  kept := kept || present;

  select array_agg('billing-item/' || b.id) into present from public.billing_items b
  where b.company_id = of_company and b.employee_id is not null and b.id = any(array(
    select substr(s, 14)::bigint from unnest(subjects) s where s ~ '^billing-item/[0-9]{1,18}$'));
  kept := kept || present;

  select array_agg('invitation/' || i.id) into present from public.invitations i
  where i.company_id = of_company and i.email not like '%@removed.invalid' and i.id = any(array(
    select substr(s, 12)::bigint from unnest(subjects) s where s ~ '^invitation/[0-9]{1,18}$'));
  kept := kept || present;

  select array_agg('user/' || u.id) into present from public.portal_users u
  where u.company_id = of_company and u.removed_at is null and u.id = any(array(
    select substr(s, 6) from unnest(subjects) s where s like 'user/%'));
  kept := kept || present;

  gone := array(
    select s from unnest(subjects) s
    where s ~ '^(employee|document|billing-item|user|invitation)/' and s <> all(kept));
  update public.audit_log l
  set detail = case when is_owner and public.audit_subject(l.action, l.target, l.detail) ~ '^(user|invitation)/'
    then l.detail - 'email' else '{}' end
  where l.company_id = of_company and public.audit_subject(l.action, l.target, l.detail) = any(gone);
end
$$;
