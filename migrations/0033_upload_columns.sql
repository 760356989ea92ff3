-- What a user chose for the columns of an uploaded roster, by the key of their headings. Null: nothing yet.
alter table hr_integrations add column upload_columns jsonb;
