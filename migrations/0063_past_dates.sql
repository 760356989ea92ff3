-- The dates that were reached, and that a later plan has replaced: those of the ended subscription until a new one
-- starts, and the last pause while another one is planned. Null where nothing was replaced, and for what was replaced
-- before this column existed: such a date is shown again when the next one is reached.
alter table employees add column past_start_on date;
alter table employees add column past_paused_on date;
alter table employees add column past_cancelled_on date;
alter table employees add column past_reactivated_on date;
