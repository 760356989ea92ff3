-- What is probably a mistake in a roster that was accepted (docs/decisions/0018-roster-warnings.md): a list of codes with
-- field, count, first place and the entries concerned. No default is computed and no row is rewritten.
alter table syncs add column warnings jsonb not null default '[]';
