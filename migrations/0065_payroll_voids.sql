-- An export that an admin has voided: its items are in no export again, its file and its number stay.
alter table payroll_files add column voided_at timestamptz;
alter table payroll_files add column voided_by text;
-- Null: the operator at the command line.
alter table payroll_files add column voided_by_user text;
alter table payroll_files add column void_reason text;
