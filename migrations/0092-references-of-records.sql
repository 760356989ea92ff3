-- A sync checked the same references again for each of its rows, which took a fifth of the time of a first roster. Events get
-- their sequence from the row of company_versions that their transaction has locked, which references the company. Records
-- are written by the transaction that writes the outcome of their sync, under the lock of the company, without which no
-- employee is deleted; no sync is. Erasing an employee empties their records itself.
alter table events drop constraint events_company_id_fkey;
alter table sync_records drop constraint sync_records_company_id_sync_key_fkey;
alter table sync_records drop constraint sync_records_company_id_employee_id_fkey;
