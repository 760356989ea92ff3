-- Counts the transactions that have changed records of a company, so that a reader knows whether an answer it keeps is
-- still true (src/db/write.ts).
alter table companies add column version bigint not null default 0;
