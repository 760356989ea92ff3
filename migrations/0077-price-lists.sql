-- Price lists of the operator (docs/decisions/0101-price-lists.md): fees that differ from the standard ones in fee_prices, which apply
-- wherever a list says nothing.
create table price_lists (
  name text not null,
  created_at timestamptz not null,
  primary key (name),
  constraint price_lists_name check (length(name) between 1 and 100)
);
create unique index price_lists_by_name on price_lists (lower(name));

create table price_list_fees (
  price_list text not null,
  charge_type text not null,
  valid_from date not null,
  net_cents integer not null,
  primary key (price_list, charge_type, valid_from),
  constraint price_list_fees_type check (charge_type in ('service-charge', 'hr-integration-charge',
    'hr-payroll-integration-charge', 'api-charge')),
  constraint price_list_fees_month check (extract(day from valid_from) = 1),
  constraint price_list_fees_cents check (net_cents >= 0),
  foreign key (price_list) references price_lists(name)
);

-- The price list of a company from the first of a month on. Null: the standard fees. Lists belong to no company, so they are not referenced.
create table company_price_lists (
  company_id bigint not null,
  from_on date not null,
  price_list text,
  primary key (company_id, from_on),
  constraint company_price_lists_month check (extract(day from from_on) = 1),
  foreign key (company_id) references companies(id)
);
