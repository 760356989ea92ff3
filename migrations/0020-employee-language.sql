alter table employees validate constraint employees_language;
