-- That somebody handed the file of an export over to payroll: at most once per export. Withdrawing it deletes the row; the
-- audit log has both.
create table payroll_handovers (
  company_id bigint not null,
  file_id bigint not null,
  handed_over_at timestamptz not null,
  handed_over_by text not null,
  -- Null: the operator at the command line.
  handed_over_by_user text,
  primary key (company_id, file_id),
  foreign key (company_id) references companies(id),
  foreign key (company_id, file_id) references payroll_files(company_id, id)
);
