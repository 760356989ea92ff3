-- The constraints of 0027-issuers.sql, which the service has kept since.
alter table events validate constraint events_type_check;
alter table companies validate constraint companies_issuer;
alter table tickets validate constraint tickets_barcode_format;
alter table billing_items validate constraint billing_items_ticket_month;
