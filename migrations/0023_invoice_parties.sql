-- Seller and buyers of invoices (docs/invoices.md).

-- The operator's data, which belong to no company. The newest row applies; earlier ones say what applied before.
create table seller_settings (
  id bigint generated always as identity primary key,
  seller jsonb not null,
  set_at timestamptz not null
);

-- The company's data on its invoices. Null: not entered.
alter table companies add column legal_name text;
alter table companies add column street text;
alter table companies add column post_code text;
alter table companies add column city text;
alter table companies add column country text;
alter table companies add column vat_id text;
alter table companies add column invoice_email text;
alter table companies add column buyer_reference text;
