-- migrate: no transaction
-- The portal filters documents by kind and month. Most of them are ticket confirmations of other months.
create index concurrently if not exists documents_by_kind
  on documents (company_id, kind, about, id) where removed_at is null;
