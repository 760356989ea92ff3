-- Several roles per user (docs/decisions/0045-roles.md). Releases without role sets read and write `role` only, so it stays and
-- holds the closest role that they know. Null, or a set that does not agree with `role`: the user has just that role.
alter table portal_users add column roles text[];
alter table portal_users add constraint portal_users_roles_check
  check (roles <@ array['admin', 'hr', 'payroll', 'developer', 'viewer']) not valid;

alter table invitations add column roles text[];
alter table invitations add constraint invitations_roles_check
  check (roles <@ array['admin', 'hr', 'payroll', 'developer', 'viewer']) not valid;
