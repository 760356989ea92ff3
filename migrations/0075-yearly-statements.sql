-- What an employee received and paid for tickets in a year (src/features/payroll/year).
alter table documents drop constraint documents_kind_check;
alter table documents add constraint documents_kind_check check (kind in ('subscription-confirmation',
  'contribution-agreement', 'ticket-confirmation', 'cancellation-confirmation', 'yearly-statement')) not valid;
