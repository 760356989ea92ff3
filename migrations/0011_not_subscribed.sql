-- Why the rules leave an employee without a subscription, so that it is recorded once and not with every roster.
alter table employees add column not_subscribed_because text
  check (not_subscribed_because in ('opted-out', 'not-requested', 'employment-ends', 'pause-requested'));

-- The next roster is planned anew for those whom it concerns, even when it says the same: who has no subscription is told
-- why, and a subscription that began before the first day of work pauses until that day.
update hr_links l set entry_hash = null from employees e
  where e.company_id = l.company_id and e.id = l.employee_id and l.entry_hash is not null
    and (e.subscription_status = 'no-subscription'
      or (e.subscription_status in ('active', 'scheduled-pause', 'scheduled-cancellation', 'paused')
        and e.start_on < e.employed_from));
