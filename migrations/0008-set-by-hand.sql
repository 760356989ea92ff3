-- Which values a user has entered, and no roster: the names of the fields. They outlive rosters that have no value for them.
alter table employees add column set_by_hand text[] not null default '{}';

-- Whether a user has entered an absence, and no roster.
alter table absences add column by_hand boolean not null default false;
