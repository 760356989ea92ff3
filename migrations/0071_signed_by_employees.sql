alter table subscription_changes validate constraint subscription_changes_actor_type_check;
alter table audit_log validate constraint audit_log_actor_type_check;

-- migrate: few rows
-- Only employees have decided as the service: by their links, of which each decides once.
update subscription_changes c set actor_type = 'employee'
where c.actor_type = 'service' and c.sync_key is null and exists (
  select 1 from contract_signatures s
  where s.company_id = c.company_id and s.employee_id = c.employee_id and s.decision = c.cause);
update audit_log set actor_type = 'employee'
where actor_type = 'service'
  and action in ('employee.sign-contract', 'subscription.contract-accepted', 'subscription.contract-rejected');
