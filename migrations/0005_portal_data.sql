-- What the portal asks at once, and what people push.

-- Null: a key pushed the roster. Else pushed_by is what this person is called.
alter table syncs add column pushed_by_person text;
create index syncs_held on syncs (company_id, hr_integration_id) where held_state = 'pending';

create index employees_pending_contract on employees (company_id, subscription_status)
  where contract_status = 'pending' and removed_at is null;
create index employees_by_next_ticket on employees (company_id, next_ticket_on)
  where next_ticket_on is not null and removed_at is null;
