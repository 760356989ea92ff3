#!/bin/sh
# Creates the two roles and the database on the first start of the container (docs/decisions/0023-database-roles.md).
set -eu

psql --no-psqlrc --quiet --username="$POSTGRES_USER" --set=ON_ERROR_STOP=1 \
  --set=owner="$(cat /run/secrets/owner-password)" --set=app="$(cat /run/secrets/app-password)" <<'SQL'
create role transit_owner login password :'owner';
create role transit_app login password :'app';
create database transit owner transit_owner;
SQL
