-- The references to the sync and to the employee contain the company, so these checked it once more for each row: a tenth
-- of the time in which the server writes a first roster.
alter table sync_records drop constraint sync_records_company_id_fkey;
alter table subscription_changes drop constraint subscription_changes_company_id_fkey;
