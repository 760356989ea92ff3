-- Order lists that are sent to the issuer, and returned lists that are fetched (docs/decisions/0096-delivery-of-order-lists.md).

-- Where files go and come from, without the secret, which `encrypted_delivery` has. Null: a person takes them there.
alter table issuer_settings add column delivery_settings jsonb;

-- Since when a file is to be sent. Null: a person takes it.
alter table order_files add column due_at timestamptz;
-- How often sending it was begun, and until when the latest attempt has it for itself, by the time of the database.
alter table order_files add column attempts integer not null default 0;
alter table order_files add column leased_until timestamptz;
-- What the complete file is called on the server before it gets its name. The first attempt that gets so far decides.
alter table order_files add column prepared_as text;
alter table order_files add column delivered_to text;
-- Why it could not be sent so far.
alter table order_files add column problem jsonb;

-- The last known state of files on the issuer's server. One that has not changed is not read again.
create table fetched_files (
  company_id bigint not null,
  month date not null,
  path text not null,
  bytes bigint not null,
  modified_at timestamptz not null,
  fetched_at timestamptz not null,
  -- Why it is no returned list. Null: it was applied.
  problem jsonb,
  primary key (company_id, month, path),
  constraint fetched_files_month check (extract(day from month) = 1),
  foreign key (company_id) references companies(id)
);
