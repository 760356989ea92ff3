-- Employees are found by their id in an HR system, whichever integration it comes from.
create index hr_links_of_hr_id on hr_links (company_id, hr_id, employee_id);
