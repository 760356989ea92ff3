-- migrate: no transaction
-- Finds the link that an employee opens.
create index concurrently if not exists signing_links_by_token on signing_links (company_id, token_hash);
