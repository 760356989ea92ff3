-- Renames what earlier versions called differently from the code: the last day that a company's daily run has processed, the
-- portal users, who were persons, and the entry that a daily run writes to the audit log. Stop the processes
-- of earlier versions first: they do not know the new names.
alter table companies rename column lived_through to processed_through;
alter table syncs rename column pushed_by_person to pushed_by_user;
alter table syncs rename column decided_by_person to decided_by_user;

alter table subscription_changes drop constraint subscription_changes_actor_type_check;
update subscription_changes
set actor_type = case when actor_type = 'person' then 'user' else actor_type end,
  cause = case cause when 'person-pause' then 'pause' when 'person-resume' then 'resume' else cause end
where actor_type = 'person' or cause in ('person-pause', 'person-resume');
alter table subscription_changes add constraint subscription_changes_actor_type_check
  check (actor_type in ('key', 'user', 'operator', 'service'));

-- audit_subject returns the same subject for the old and the new actions.
alter table audit_log drop constraint audit_log_actor_type_check;
update audit_log
set actor_type = case when actor_type = 'person' then 'user' else actor_type end,
  action = case
    when action like 'person.%' then 'user' || substr(action, length('person') + 1)
    when action in ('subscription.person-pause', 'subscription.person-resume') then replace(action, 'person-', '')
    when action = 'day.live' then 'daily-run.finish'
    else action
  end
where actor_type = 'person' or action like 'person.%' or action like 'subscription.person-%'
  or action = 'day.live';
alter table audit_log add constraint audit_log_actor_type_check
  check (actor_type in ('key', 'user', 'operator', 'service'));
