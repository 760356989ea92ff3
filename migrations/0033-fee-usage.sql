-- How many units a fee charges. Null for tickets, and for fees that were billed before the column existed.
alter table billing_items add column quantity bigint;

-- The first day of the month in which the fee was used: the one before the period for fees that follow use. Null like quantity.
alter table billing_items add column used_period date;
