-- A batch also makes requests about the subscriptions of many employees, or undoes those of an earlier batch. The check is wider than
-- the one that it replaces, so that every row holds it.
alter table contract_batches drop constraint contract_batches_decision_check;
alter table contract_batches add constraint contract_batches_decision_check check (decision in ('contract-accepted',
  'contract-rejected', 'subscribe', 'pause', 'resume', 'cancel', 'undo')) not valid;
alter table contract_batches add column from_on date;
alter table contract_batches add column until_on date;
alter table contract_batches add column reason text;
-- The batch whose requests are undone.
alter table contract_batches add column undo_of bigint;

-- What became of the request, in subscription_requests. Null: it changed nothing, or there is none.
alter table contract_batch_items add column request_id bigint;
-- The month from which it takes effect.
alter table contract_batch_items add column from_on date;
-- Why it was refused.
alter table contract_batch_items add column message jsonb;
