-- migrate: few rows
-- Integrations whose last key ended before 0069 have no end. The worker looks at every integration whose end has come: it
-- stores the true end, if there is one, and says `invalid` where no key may push any more.
update hr_integrations set push_ends_at = now()
where type = 'api-integration' and status = 'active' and push_ends_at is null and deleted_at is null;
