alter table companies validate constraint companies_joining;
