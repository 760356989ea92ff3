-- Counts the transactions that have changed records of a company, so that a reader knows whether an answer it keeps is
-- still true (src/db/write.ts). A table of its own: its row is the last one that a transaction locks, so that two writers
-- of a company never wait for each other in a circle. A company without a row has version 0.
create table company_versions (
  company_id bigint primary key references companies (id),
  version bigint not null
);
