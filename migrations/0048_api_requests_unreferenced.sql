-- Checking this key takes 18 of the 46 µs in which a request is logged, and locks the company's row, so that the log waits
-- for those who change it. The company of a logged request exists: its key was valid, and companies are never deleted.
alter table api_requests drop constraint api_requests_company_id_fkey;
