-- The number under which payroll knows an employee, if the roster has one, and what stands in for it otherwise.
alter table employees add column personnel_number text;
alter table companies add column personnel_number_rule text not null default 'hr-id';
alter table companies add constraint companies_personnel_number_rule
  check (personnel_number_rule in ('hr-id', 'hr-id-digits')) not valid;
