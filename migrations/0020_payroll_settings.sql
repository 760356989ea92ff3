-- How a company's payroll takes the tickets (docs/payroll.md). Null: not set yet; the service guesses no number.
alter table companies add column payroll_system text not null default 'csv';
alter table companies add column payroll_consultant integer;
alter table companies add column payroll_client integer;
alter table companies add column wage_type_tax_free integer;
alter table companies add column wage_type_flat_tax integer;
alter table companies add column wage_type_deduction integer;
alter table companies add column tax_treatment text not null default 'tax-free';
alter table companies add column benefit_valuation integer not null default 100;
alter table companies add constraint companies_payroll_system
  check (payroll_system in ('csv', 'datev-lodas', 'datev-lug')) not valid;
alter table companies add constraint companies_tax_treatment check (tax_treatment in ('tax-free', 'flat-tax')) not valid;
alter table companies add constraint companies_benefit_valuation
  check (benefit_valuation = 96 or benefit_valuation = 100) not valid;
