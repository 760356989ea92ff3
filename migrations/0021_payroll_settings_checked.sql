alter table companies validate constraint companies_payroll_system;
alter table companies validate constraint companies_tax_treatment;
alter table companies validate constraint companies_benefit_valuation;
