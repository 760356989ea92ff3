-- The picture on the letters of the company, as PNG. Null: none.
alter table companies add column logo bytea;
