-- What the company adds to its agreements. Null: nothing.
alter table companies add column agreement_paragraph text;
